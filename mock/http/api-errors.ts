// Error messages say what was expected; they never repeat a secret or a long value in full.
import type { ErrorKind } from '../../openapi/error-codes.ts';
import type { Mismatch } from '../../openapi/validate.ts';
import { isoTime } from '../world/time.ts';

interface ErrorDetails {
  headers?: Readonly<Record<string, string>>;
  /** Seconds until the call would be accepted. */
  retryAfter?: number;
  status?: number;
  code?: number;
}

export class ApiError extends Error {
  readonly kind: ErrorKind;
  readonly extra: ErrorDetails;
  constructor(kind: ErrorKind, message: string, extra: ErrorDetails = {}) {
    super(message);
    this.kind = kind;
    this.extra = extra;
  }
}

type Id = string | number;

function errorOf<Given extends unknown[]>(
  kind: ErrorKind,
  write: (...given: Given) => string,
  detail: (...given: Given) => ErrorDetails = () => ({}),
): (...given: Given) => ApiError {
  return (...given) => new ApiError(kind, write(...given), detail(...given));
}

const askForBearer = () => ({ headers: { 'www-authenticate': 'Bearer' } });
export const malformedRequest = errorOf('malformed-request', (detail: string) => detail);
export const malformedJson = errorOf('malformed-json', (detail: string) => `the body is not JSON: ${detail}`);
export const invalidRequest = errorOf(
  'invalid-request',
  (mismatches: readonly Pick<Mismatch, 'at' | 'expected'>[]) =>
    `the request is not valid: ${mismatches.map(({ at, expected }) => `${at || 'the body'}: expected ${expected}`).join('; ')}`,
);
export const unauthenticated = errorOf('unauthenticated', (reason: string) => reason, askForBearer);
export const tokenExpired = errorOf(
  'token-expired',
  (at: number) => `the session token expired at ${isoTime(at)}; renew it with POST /auth/refresh`,
  askForBearer,
);
export const badCredentials = errorOf('bad-credentials', () => 'the username or the password is wrong');
export const accountLocked = errorOf(
  'account-locked',
  (until: number) => `too many wrong passwords; the account is locked until ${isoTime(until)}`,
);
const noSuchSite = (id: Id) => `there is no site ${shorten(id)} here`;
export const unknownSite = errorOf('unknown-site', noSuchSite);
/** The message is the same as for an unknown site, so that callers can't find out which sites other tenants have. */
export const foreignSite = errorOf('foreign-site', noSuchSite);
export const unknownSubscription = errorOf(
  'unknown-subscription',
  (id: Id) => `there is no webhook subscription ${shorten(id)} here`,
);
export const unknownResource = errorOf(
  'unknown-resource',
  (kind: string, id: Id) => `there is no ${kind} ${shorten(id)} here`,
);
export const tooManyKeys = errorOf(
  'key-quota',
  (most: number) => `the tenant already has ${most} API keys, the maximum; delete one first`,
);
export const tooManySubscriptions = errorOf(
  'subscription-quota',
  (most: number) => `the site already has ${most} webhook subscriptions, the maximum; delete one first`,
);
export const publishUnderWay = errorOf(
  'publish-under-way',
  () => 'another publish of this site is in progress; try again in a few seconds',
);
export const callInProgress = errorOf(
  'call-in-progress',
  () => 'the same call is in progress; try again to read its result',
);
export const unknownPath = errorOf('unknown-path', (reason: string) => reason);
export const nothingAt = (method: string, path: string) =>
  unknownPath(`there is no operation at ${method} ${shorten(path)}`);
export const methodNotAllowed = errorOf(
  'method-not-allowed',
  (method: string, path: string, allowed: readonly string[]) =>
    `${shorten(path)} does not support ${method}; use ${allowed.join(', ')}`,
  (_method, _path, allowed) => ({ headers: { allow: allowed.join(', ') } }),
);
export const requestTimeout = errorOf(
  'request-timeout',
  (reason?: string) => reason ?? 'the request did not arrive completely in time',
);
export const bodyTooLarge = errorOf(
  'body-too-large',
  (limit: number, unit: 'bytes' | 'values' | 'levels' = 'bytes') =>
    `the body is larger than ${limit} ${unit}`,
);
export const unsupportedMediaType = errorOf(
  'unsupported-media-type',
  (got: string) => `the body is declared as ${shorten(got)}; expected application/json`,
);
export const headerTooLarge = errorOf(
  'header-too-large',
  () => 'the request line and header are larger than 16 KiB',
);
export const rateLimited = errorOf(
  'rate-limited',
  (limit: string, until: number, _now: number) => `more than ${limit}; try again at ${isoTime(until)}`,
  (_limit, until, now) => ({ retryAfter: Math.max(1, Math.ceil((until - now) / 1000)) }),
);
export const internal = errorOf('internal', () => 'internal error; quote the trace_id when you report it');
/** The store could not persist what the call did, so the call had no effect. */
export const notPersisted = errorOf(
  'internal',
  () => 'the service could not persist the result of this call; try again',
  () => ({ status: 503, headers: { 'retry-after': '1' } }),
);

/** Another process ended the world while this one had it in memory. */
export const worldHasEnded =
  'this world has ended; create one with POST /_mock/worlds, or list them with GET /_mock/worlds';

function shorten(value: Id): string {
  const text = String(value);
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
