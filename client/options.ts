import type { GapValues } from '../openapi/generated/gap-values.ts';
import { checkIds, type Ids } from '../webhooks/identifiers.ts';

export interface Account {
  username: string;
  password: string;
}

/** The gaps of a profile that sessions depend on. */
export type SessionProfile = Pick<
  GapValues,
  'login.token' | 'refresh.token' | 'refresh.request' | 'errors.codes'
>;

export interface ClientOptions<I extends Ids = 'number'> {
  /** The base address of the service; it ends in /api/v1. */
  baseUrl: string;
  /** An API key, sent with every call. It does not expire. */
  apiKey?: string;
  /** The client logs in at the first call, and whenever it cannot renew the session. */
  username?: string;
  password?: string;
  /** An existing session token. The client renews it like one from a login. */
  token?: string;
  /** The deployment's values for these gaps; default: the values of the profile `default`. */
  profile?: Partial<SessionProfile>;
  /** Business codes of an expired session, besides HTTP 401; default: `token-expired` and `unauthenticated` of the profile. */
  expiredCodes?: readonly number[];
  /** The JavaScript type of identifiers; default: numbers. Identifiers above 2^53 then throw UnsafeIntegerError. */
  ids?: I;
  /** Sent with every call. */
  headers?: Readonly<Record<string, string>>;
  /** Replaces the global fetch. */
  fetch?: (request: Request) => Promise<Response>;
}

export interface CheckedOptions {
  baseUrl: string;
  apiKey: string | undefined;
  account: Account | undefined;
  token: string | undefined;
  profile: SessionProfile;
  expiredCodes: readonly number[];
  ids: Ids;
}

const defaultProfile = {
  'login.token': '/data/token',
  'refresh.token': '/data/token',
  'refresh.request': 'none',
  'errors.codes': { 'token-expired': 40101, unauthenticated: 40100 },
} as const satisfies SessionProfile;

export function checkOptions(options: ClientOptions<Ids>): CheckedOptions {
  const { apiKey, token, username, password } = options;
  const profile = { ...defaultProfile, ...options.profile };
  if (apiKey !== undefined && [token, username, password].some((other) => other !== undefined))
    throw new TypeError('createClient: apiKey cannot be combined with token, username or password');
  const codes = { ...defaultProfile['errors.codes'], ...profile['errors.codes'] };
  return {
    baseUrl: checkBaseUrl(options.baseUrl),
    apiKey: checkHeaderText('apiKey', apiKey),
    token: checkHeaderText('token', token),
    account: readAccount(options),
    profile,
    ids: checkIds(options.ids ?? 'number', 'createClient: '),
    expiredCodes: options.expiredCodes ?? [codes['token-expired'], codes.unauthenticated],
  };
}

/** Checked first, because fetch would repeat an invalid header in its error. */
export function isHeaderText(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

function checkHeaderText(name: string, value: string | undefined): string | undefined {
  if (value === undefined || isHeaderText(value)) return value;
  const why =
    value === '' ? 'is empty' : 'contains a space, a line break or a character that headers cannot contain';
  throw new TypeError(`createClient: ${name} ${why}; check the file or variable that it comes from`);
}

function readAccount({ username, password }: ClientOptions<Ids>): Account | undefined {
  if (username === undefined && password === undefined) return undefined;
  if (username && password) return { username, password };
  throw new TypeError('createClient: a login needs both username and password');
}

function checkBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new TypeError('createClient: baseUrl must be an http(s) URL, for example https://host/api/v1');
  if (url.username || url.password || url.search || url.hash)
    throw new TypeError('createClient: baseUrl must not contain a user, password, query or fragment');
  return url.href;
}
