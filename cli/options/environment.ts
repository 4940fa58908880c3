// The environment variables of sitepub, all of them.
import { nearest } from '../../openapi/nearest.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Each of them may be in a file, too, which the variable with _FILE names. */
const secrets = [
  'PASSWORD',
  'API_KEY',
  'SECOND_PASSWORD',
  'OTHER_PASSWORD',
  'CONTROL_TOKEN',
  'WEBHOOK_SECRET',
  'STORE',
  'KEY_PASSPHRASE',
];

const others = [
  'BASE_URL',
  'PROFILE',
  'USERNAME',
  'SITE_ID',
  'SECOND_USERNAME',
  'OTHER_USERNAME',
  'OTHER_SITE_ID',
  'CONTROL_URL',
  'CONFIG',
  'LEAVE_BEHIND',
  'PORT',
  'REQUEST_TIMEOUT',
];

const known = [...others, ...secrets.flatMap((name) => [name, `${name}_FILE`])].map(
  (name) => `SITEPUB_${name}`,
);

/** Commands that reports print have tokens and keys; Kubernetes sets the others for a Service named sitepub. */
const ofOthers = /^SITEPUB_(([A-Z]+_)?(TOKEN|KEY)|SERVICE_.*|PORT_\d+_.*)$/;

/** The value of a variable; undefined where Kubernetes has set it for a Service named sitepub. */
export function readVariable(name: string, environment: Environment): string | undefined {
  const value = environment[name];
  return name === 'SITEPUB_PORT' && value?.startsWith('tcp://') ? undefined : value;
}

/** A line on variables that look like ours and are not; undefined where there are none. */
export function explainUnknown(environment: Environment): string | undefined {
  const names = Object.keys(environment).filter(
    (name) => /^SITEPUB_(?!HEADER_)/.test(name) && !known.includes(name) && !ofOthers.test(name),
  );
  if (names.length === 0) return undefined;
  const [first = ''] = names;
  const hint = nearest(first, known);
  const meant = names.length === 1 && hint ? `; did you mean ${hint}?` : '';
  return `${names.sort().join(', ')}: sitepub reads no such variable${meant}`;
}
