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
].map(withPrefix);

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
].map(withPrefix);

const known = [...others, ...secrets.flatMap((name) => [name, `${name}_FILE`])];

function withPrefix(name: string): string {
  return `SITEPUB_${name}`;
}

/** Commands that reports print have tokens and keys. */
const ofCommands = /^SITEPUB_([A-Z]+_)?(TOKEN|KEY)$/;

/** Kubernetes sets these for a Service named sitepub. */
const ofKubernetes = /^SITEPUB_(SERVICE_.*|PORT_\d+_.*)$/;

/** Whether a variable has a secret as its value, such as a header of a gateway. */
export function isSecretVariable(name: string): boolean {
  return secrets.includes(name) || /^SITEPUB_HEADER_/.test(name) || ofCommands.test(name);
}

/** The value of a variable; undefined where Kubernetes has set it for a Service named sitepub. */
export function readVariable(name: string, environment: Environment): string | undefined {
  const value = environment[name];
  return name === 'SITEPUB_PORT' && value?.startsWith('tcp://') ? undefined : value;
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
