// All environment variables of sitepub.
import { nearest } from '../../openapi/nearest.ts';
import { testFlags } from './deployment-flags.ts';
import type { Environment } from './flags.ts';
import { mockFlags } from './mock-flags.ts';

interface Variable {
  /** For a secret or a username, SITEPUB_…_FILE may name a file. */
  kind: 'name' | 'secret' | 'site';
  /** Its name in a deployment of sitepub.config.yaml. */
  member?: string;
}

/** Variables without a flag. */
export const variables: Readonly<Record<string, Variable>> = {
  SITEPUB_USERNAME: { kind: 'name', member: 'credentials.username' },
  SITEPUB_PASSWORD: { kind: 'secret', member: 'credentials.password' },
  SITEPUB_API_KEY: { kind: 'secret', member: 'credentials.api_key' },
  SITEPUB_SITE_ID: { kind: 'site', member: 'credentials.site' },
  SITEPUB_SECOND_USERNAME: { kind: 'name', member: 'credentials.second.username' },
  SITEPUB_SECOND_PASSWORD: { kind: 'secret', member: 'credentials.second.password' },
  SITEPUB_OTHER_USERNAME: { kind: 'name', member: 'credentials.other.username' },
  SITEPUB_OTHER_PASSWORD: { kind: 'secret', member: 'credentials.other.password' },
  SITEPUB_OTHER_SITE_ID: { kind: 'site', member: 'credentials.other.site' },
  SITEPUB_CONTROL_TOKEN: { kind: 'secret', member: 'credentials.control_token' },
  SITEPUB_KEY_PASSPHRASE: { kind: 'secret', member: 'key_passphrase' },
  SITEPUB_WEBHOOK_SECRET: { kind: 'secret' },
  SITEPUB_STORE: { kind: 'secret' },
  SITEPUB_CONFIG: { kind: 'name' },
};

/** Used by curl lines in reports. */
const inReports = [
  'TOKEN',
  'OTHER_TOKEN',
  'INVENTED_TOKEN',
  'INVENTED_PASSWORD',
  'NEW_API_KEY',
  'CREATED_KEY',
];

const known = [
  ...Object.values({ ...mockFlags, ...testFlags }).flatMap(({ variable }) => variable ?? []),
  ...Object.entries(variables).flatMap(([name, { kind }]) =>
    kind === 'secret' || name.endsWith('USERNAME') ? [name, `${name}_FILE`] : [name],
  ),
  ...inReports.map((name) => `SITEPUB_${name}`),
];

/** Values of --header, and variables that Kubernetes sets for a Service named sitepub. */
const families = /^SITEPUB_(HEADER_.*|SERVICE_.*|PORT_\d+_.*)$/;

/** Also true for names that sitepub does not read. */
export function isSecretVariable(name: string): boolean {
  const isCalledSecret = /^SITEPUB_(HEADER_.*|.*(PASSWORD|PASSPHRASE|SECRET|TOKEN|KEY))$/.test(name);
  return variables[name]?.kind === 'secret' || isCalledSecret;
}

/** A message about SITEPUB_ variables that sitepub does not read; undefined if there are none. */
export function explainUnknown(environment: Environment): string | undefined {
  const isKnown = (name: string) => known.includes(name) || families.test(name);
  const names = Object.keys(environment).filter((name) => name.startsWith('SITEPUB_') && !isKnown(name));
  if (names.length === 0) return undefined;
  const [first = ''] = names;
  const hint = nearest(first, known);
  const meant = names.length === 1 && hint ? `; did you mean ${hint}?` : '';
  return `ignored unknown variable${names.length === 1 ? '' : 's'} ${names.sort().join(', ')}${meant}`;
}
