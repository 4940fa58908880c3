// Addresses, credentials and site identifiers, for all commands that call a deployment.
import { readInteger } from '../../contract-tests/core/parse-json.ts';
import type { Account, SuiteOptions } from '../../contract-tests/core/suite-options.ts';
import { visible } from '../../contract-tests/core/visible-text.ts';
import { loadProfile, type Profile } from '../../openapi/profile.ts';
import { type Given, readSecret } from './flags.ts';
import { readFlag } from './read-values.ts';
import { UsageError } from './usage-error.ts';
import { withNpx } from './with-npx.ts';

export function readReceiver(given: Given): SuiteOptions['receiver'] {
  const listen = readFlag(given, 'receiver-listen', {
    expected: 'a port, or a host and a port such as 0.0.0.0:8099',
    parse: (text) => (Number(/(?<=^|:)\d{1,5}$/.exec(text)?.[0]) <= 65_535 ? text : undefined),
  });
  return dropEmpty({ listen, url: readUrl(given, 'receiver-url') });
}

/** Throws UsageError if it is missing. */
export function readBaseUrl(given: Given): string {
  const url = readOptionalBaseUrl(given);
  if (url !== undefined) return url;
  throw new UsageError(
    'the base URL of the deployment is missing; pass it as an argument, or set SITEPUB_BASE_URL',
  );
}

/** The argument of the command, or --base-url. */
export function readOptionalBaseUrl(given: Given): string | undefined {
  const [word] = given.words;
  if (word === undefined) return readUrl(given, 'base-url');
  if (!given.cliFlags.includes('base-url')) return readAddress(word, 'the URL');
  throw new UsageError('the base URL is given twice; leave out --base-url or the argument');
}

/** Without a trailing slash. */
export function readUrl(given: Given, flag: string): string | undefined {
  const text = given.text(flag);
  return text === undefined ? undefined : readAddress(text, `--${flag}`);
}

/** Messages do not repeat an argument that is not a URL, because it may be a secret. Throws UsageError. */
export function parseAddress(text: string, name: string): URL {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) return url;
  const isShown = name.startsWith('--') || text.includes('://');
  const problem = isShown ? `is "${withoutSecrets(text)}"` : 'is invalid';
  throw new UsageError(`${name} ${problem}; expected an http or https URL`);
}

/** Without a trailing slash. Throws UsageError. */
export function readAddress(text: string, name: string): string {
  const url = parseAddress(text, name);
  if (url.search || url.hash || url.username || url.password)
    throw new UsageError(
      `${name} is "${withoutSecrets(text)}"; leave out its query, fragment and credentials`,
    );
  return url.href.replace(/\/+$/, '');
}

/** Hides a possible password, query and fragment, also in an invalid URL. */
export function withoutSecrets(address: string): string {
  const end = address.lastIndexOf('@');
  const [scheme = ''] = /^([a-z][a-z\d+.-]*:\/\/)?/i.exec(address) ?? [];
  const shown = end < 0 ? address : `${scheme}…${address.slice(end)}`;
  return shown.replace(/([?#]).+/s, '$1…');
}

/** Throws UsageError if there is neither a user nor an API key. */
export function readCredentials(given: Given): Pick<SuiteOptions, 'account' | 'apiKey'> {
  const account = readAccount(given, '');
  const apiKey = readSecret('SITEPUB_API_KEY', given.environment);
  if (apiKey !== undefined && /\s/.test(apiKey))
    throw new UsageError(
      'SITEPUB_API_KEY contains a space or a line break; set it to only the key, which starts with sp_',
    );
  if (!account && !apiKey)
    throw new UsageError(
      'credentials are missing; set SITEPUB_USERNAME and SITEPUB_PASSWORD, or SITEPUB_API_KEY',
    );
  return dropEmpty({ account, apiKey });
}

export function readOtherAccount(given: Given): SuiteOptions['other'] {
  const account = readAccount(given, 'OTHER_');
  return account && { ...account, ...dropEmpty({ siteId: readSiteId(given, 'OTHER_') }) };
}

/** Undefined if neither variable is set. */
export function readAccount({ environment }: Given, whose: '' | 'SECOND_' | 'OTHER_'): Account | undefined {
  const [usernameName, passwordName] = [`SITEPUB_${whose}USERNAME`, `SITEPUB_${whose}PASSWORD`] as const;
  const username = readSecret(usernameName, environment);
  const password = readSecret(passwordName, environment);
  if (username === undefined && password === undefined) return undefined;
  if (username === undefined)
    throw new UsageError(`${passwordName} is set and ${usernameName} is not; set both`);
  if (password === undefined)
    throw new UsageError(`${usernameName} is set and ${passwordName} is not; set both`);
  return { username, password };
}

export function readSiteId({ environment }: Given, whose: '' | 'OTHER_'): number | bigint | undefined {
  const name = `SITEPUB_${whose}SITE_ID`;
  return toSiteId(name, environment[name]);
}

/** Throws UsageError. */
export function toSiteId(name: string, text: string | undefined): number | bigint | undefined {
  if (!text) return undefined;
  if (/^\d{1,30}$/.test(text)) return readInteger(text);
  throw new UsageError(`${name} is "${text}"; expected a site identifier, which is a whole number`);
}

/** Drops members that are undefined or "". */
export function dropEmpty<T extends object>(members: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const given = Object.entries(members).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(given) as { [Name in keyof T]?: Exclude<T[Name], undefined> };
}

/** Prints a notice if the profile states no values. Throws ProfileError. */
export function readProfile(given: Given): Profile | undefined {
  const named = given.text('profile');
  if (named === undefined) return undefined;
  const profile = loadProfile(named);
  if (profile.stated.size === 0) {
    const notice = `the profile ${visible(named)} states no values, so all gaps have their defaults; \`sitepub discover\` finds values`;
    console.error(`sitepub: ${withNpx(notice)}`);
  }
  return profile;
}
