// What the commands that speak to a deployment read alike: addresses, credentials and site identifiers.
import type { Account } from '../../contract-tests/core/suite-options.ts';
import { type Flags, type Given, readSecret, variableOf } from './flags.ts';
import { UsageError } from './usage-error.ts';

/** Where the suite sees webhooks. */
export const receiverFlags: Flags = {
  'receiver-listen': {
    kind: 'text',
    value: 'HOST:PORT',
    help: 'where the webhook receiver listens (default: 127.0.0.1, any free port)',
  },
  'receiver-url': {
    kind: 'text',
    value: 'URL',
    help: 'address under which the deployment reaches that receiver',
  },
};

/** The http address that a flag gives, without a trailing slash. */
export function readUrl(given: Given, flag: string): string {
  const text = given.text(flag);
  if (text === undefined) throw new UsageError(`--${flag} is missing; give it, or set ${variableOf(flag)}`);
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--${flag} is "${text}"; expected an http or https URL`);
  if (url.search || url.hash || url.username)
    throw new UsageError(`--${flag} is "${text}"; it takes no query, fragment or credentials`);
  return url.href.replace(/\/+$/, '');
}

/** The whole number that a flag gives, from 0 to `most`; undefined where it is not given. */
export function readNumber(given: Given, flag: string, most: number): number | undefined {
  const text = given.text(flag);
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text) || Number(text) > most)
    throw new UsageError(`--${flag} is "${text}"; expected a whole number from 0 to ${most}`);
  return Number(text);
}

/** A user by the names of the environment variables that hold its credentials; undefined where neither is set. */
export function readAccount(usernameName: string, passwordName: string): Account | undefined {
  const [username, password] = [readSecret(usernameName), readSecret(passwordName)];
  if (username === undefined && password === undefined) return undefined;
  if (username === undefined)
    throw new UsageError(`${passwordName} is set and ${usernameName} is not; set both`);
  if (password === undefined)
    throw new UsageError(`${usernameName} is set and ${passwordName} is not; set both`);
  return { username, password };
}

/** A site identifier from the environment; undefined where it is not set. */
export function readSiteId(name: string): number | undefined {
  const text = process.env[name];
  if (!text) return undefined;
  if (!/^\d{1,15}$/.test(text))
    throw new UsageError(`${name} is "${text}"; expected a whole number, as site identifiers are`);
  return Number(text);
}
