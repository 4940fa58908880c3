// The environment variables of sitepub, all of them.
import { nearest } from '../../openapi/nearest.ts';
import { testFlags } from './deployment-flags.ts';
import type { Environment } from './flags.ts';
import { mockFlags } from './mock-flags.ts';

interface Variable {
  /** A secret may be in a file, too, which the variable with _FILE names. */
  kind: 'name' | 'secret' | 'site';
  /** What the deployments of sitepub.config.yaml call it; a dot leads into a map. */
  member?: string;
}

/** Those that stand for no flag, or hold what is not taken from one. */
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

const known = [
  ...Object.values({ ...mockFlags, ...testFlags }).flatMap(({ variable }) => variable ?? []),
  ...Object.entries(variables).flatMap(([name, { kind }]) =>
    kind === 'secret' ? [name, `${name}_FILE`] : [name],
  ),
];

/** Commands that reports print have tokens and keys. */
const ofCommands = /^SITEPUB_([A-Z]+_)?(TOKEN|KEY)$/;

/** Kubernetes sets these for a Service named sitepub. */
const ofKubernetes = /^SITEPUB_(SERVICE_.*|PORT_\d+_.*)$/;

/** Whether a variable has a secret as its value, such as a header of a gateway. */
export function isSecretVariable(name: string): boolean {
  return variables[name]?.kind === 'secret' || /^SITEPUB_HEADER_/.test(name) || ofCommands.test(name);
}

/** A line on variables that look like ours and are not; undefined where there are none. */
export function explainUnknown(environment: Environment): string | undefined {
  const isKnown = (name: string) => known.includes(name) || isSecretVariable(name) || ofKubernetes.test(name);
  const names = Object.keys(environment).filter((name) => name.startsWith('SITEPUB_') && !isKnown(name));
  if (names.length === 0) return undefined;
  const [first = ''] = names;
  const hint = nearest(first, known);
  const meant = names.length === 1 && hint ? `; did you mean ${hint}?` : '';
  return `${names.sort().join(', ')}: sitepub reads no such variable${meant}`;
}
