// All errors of the API. Messages say what was expected; they never repeat a secret or a whole value.
import type { ErrorKind } from '../../openapi/error-codes.ts';
import type { Mismatch } from '../../openapi/validate.ts';

interface ErrorDetails {
  headers?: Readonly<Record<string, string>>;
  /** Seconds until the call would be accepted. */
  retryAfter?: number;
  /** Status and code, when they differ from those of the profile. */
  status?: number;
  code?: number;
}

/** A refusal; render-envelope.ts turns it into an answer. */
export class ApiError extends Error {
  readonly kind: ErrorKind;
  readonly extra: ErrorDetails;
  constructor(kind: ErrorKind, message: string, extra: ErrorDetails = {}) {
    super(message);
    this.kind = kind;
    this.extra = extra;
  }
}

const askForBearer = { 'www-authenticate': 'Bearer' };

export function malformedRequest(detail: string): ApiError {
  return new ApiError('malformed-request', detail);
}

export function malformedJson(detail: string): ApiError {
  return new ApiError('malformed-json', `the body is not JSON: ${detail}`);
}

export function invalidRequest(mismatches: readonly Pick<Mismatch, 'at' | 'expected'>[]): ApiError {
  const reasons = mismatches.map(
    ({ at, expected }) => `${at === '' ? 'the body' : at}: expected ${expected}`,
  );
  return new ApiError('invalid-request', `the request is not valid: ${reasons.join('; ')}`);
}

export function unauthenticated(reason: string): ApiError {
  return new ApiError('unauthenticated', reason, { headers: askForBearer });
}

export function tokenExpired(at: number): ApiError {
  const message = `the session token expired at ${isoTime(at)}; renew it with POST /auth/refresh`;
  return new ApiError('token-expired', message, { headers: askForBearer });
}

export function badCredentials(): ApiError {
  return new ApiError('bad-credentials', 'the username or the password is wrong');
}

export function accountLocked(until: number): ApiError {
  return new ApiError(
    'account-locked',
    `too many wrong passwords; the account is locked until ${isoTime(until)}`,
  );
}

export function unknownSite(id: string | number): ApiError {
  return new ApiError('unknown-site', noSuchSite(id));
}

/** Same wording as for an unknown site, so that nobody learns which sites others have. */
export function foreignSite(id: string | number): ApiError {
  return new ApiError('foreign-site', noSuchSite(id));
}

export function unknownSubscription(id: string | number): ApiError {
  return new ApiError('unknown-subscription', `there is no webhook subscription ${shorten(id)} here`);
}

export function unknownResource(kind: string, id: string | number): ApiError {
  return new ApiError('unknown-resource', `there is no ${kind} ${shorten(id)} here`);
}

export function tooManyKeys(most: number): ApiError {
  return new ApiError(
    'key-quota',
    `the tenant has ${most} API keys already, and more are not possible; delete one first`,
  );
}

export function tooManySubscriptions(most: number): ApiError {
  return new ApiError(
    'subscription-quota',
    `the site has ${most} webhook subscriptions already, and more are not possible; delete one first`,
  );
}

export function publishUnderWay(): ApiError {
  return new ApiError(
    'publish-under-way',
    'another publish of this site is under way; try again in a few seconds',
  );
}

export function callInProgress(): ApiError {
  return new ApiError('call-in-progress', 'the same call is in progress; try again to read its result');
}

export function unknownPath(
  method: string,
  path: string,
  reason = `there is nothing at ${method} ${shorten(path)}`,
): ApiError {
  return new ApiError('unknown-path', reason);
}

export function methodNotAllowed(method: string, path: string, allowed: readonly string[]): ApiError {
  const allow = allowed.join(', ');
  return new ApiError('method-not-allowed', `${shorten(path)} does not take ${method}, only ${allow}`, {
    headers: { allow },
  });
}

export function requestTimeout(reason = 'the request did not arrive completely in time'): ApiError {
  return new ApiError('request-timeout', reason);
}

export function bodyTooLarge(limit: number, unit: 'bytes' | 'values' | 'levels' = 'bytes'): ApiError {
  return new ApiError('body-too-large', `the body is larger than ${limit} ${unit}`);
}

export function unsupportedMediaType(got: string): ApiError {
  return new ApiError(
    'unsupported-media-type',
    `the body is declared as ${shorten(got)}; expected application/json`,
  );
}

export function headerTooLarge(): ApiError {
  return new ApiError('header-too-large', 'the request line and header are larger than 16 KiB');
}

export function rateLimited(limit: string, until: number, now: number): ApiError {
  const retryAfter = Math.max(1, Math.ceil((until - now) / 1000));
  return new ApiError('rate-limited', `more than ${limit}; the next is let through at ${isoTime(until)}`, {
    retryAfter,
  });
}

/** The cause is written to our log only. */
export function internal(): ApiError {
  return new ApiError('internal', 'the service made a mistake; quote the trace_id when reporting it');
}

function noSuchSite(id: string | number): string {
  return `there is no site ${shorten(id)} here`;
}

function shorten(value: string | number): string {
  const text = String(value);
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}
