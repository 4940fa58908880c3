// Keeps secrets out of everything that is printed or written, in whatever form they appear.
import { type Connection, headerVariable, type SuiteOptions } from '../core/suite-options.ts';
import { beginningPattern, secretPattern } from './secret-pattern.ts';

/** Secrets by the name of the environment variable that holds them, or would. */
export interface Secrets {
  /** Adds a secret. Earlier values of the same name stay secret. */
  add(name: string, value: unknown): void;
  has(value: string): boolean;
  /** A text with every known secret replaced by its name in braces, such as {SITEPUB_PASSWORD}. */
  redact(text: string): string;
  /** The known values with their names, longest first. */
  entries(): readonly (readonly [value: string, name: string])[];
}

interface Known {
  name: string;
  whole: RegExp;
  beginning: RegExp;
}

/** A set of secrets, empty at first. */
export function createSecrets(): Secrets {
  const known = new Map<string, Known>();
  let ordered: readonly (readonly [string, Known])[] = [];
  return {
    add: (name, value) => {
      if (typeof value !== 'string' || value === '') return;
      const { whole, beginning } = known.get(value) ?? {
        whole: secretPattern(value),
        beginning: beginningPattern(value),
      };
      known.set(value, { name, whole, beginning });
      ordered = [...known].sort(([one], [other]) => other.length - one.length);
    },
    has: (value) => known.has(value),
    entries: () => ordered.map(([value, { name }]) => [value, name] as const),
    redact: (text) => ordered.reduce((redacted, [, secret]) => hide(redacted, secret), text),
  };
}

type Confidential = Pick<
  SuiteOptions,
  'account' | 'apiKey' | 'second' | 'other' | 'controlToken' | 'connection'
>;

/** The secrets that a run is given. */
export function secretsOf({
  account,
  apiKey,
  second,
  other,
  controlToken,
  connection = {},
}: Confidential): Secrets {
  const secrets = createSecrets();
  addSecretsOf(connection, secrets);
  secrets.add('SITEPUB_PASSWORD', account?.password);
  secrets.add('SITEPUB_API_KEY', apiKey);
  secrets.add('SITEPUB_SECOND_PASSWORD', second?.password);
  secrets.add('SITEPUB_OTHER_PASSWORD', other?.password);
  secrets.add('SITEPUB_CONTROL_TOKEN', controlToken);
  return secrets;
}

/** A header of a few letters, such as "X-Canary: 1", keeps no secret; hiding it would only hide other texts. */
const shortestHeader = 4;

function addSecretsOf({ headers = {}, passphrase, proxy }: Connection, secrets: Secrets): void {
  for (const [name, value] of Object.entries(headers))
    if (value.length >= shortestHeader) secrets.add(headerVariable(name), value);
  secrets.add('SITEPUB_KEY_PASSPHRASE', passphrase);
  if (proxy) secrets.add('PROXY_PASSWORD', decodeURIComponent(new URL(proxy.url).password));
}

/** Long texts were cut before, which "…" shows, and a secret may have been cut with them. */
function hide(text: string, { name, whole, beginning }: Known): string {
  const hidden = () => `{${name}}`;
  const redacted = text.replace(whole, hidden);
  return redacted.includes('…') ? redacted.replace(beginning, hidden) : redacted;
}
