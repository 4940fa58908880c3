// The verdicts that checks consist of. An error is recognized by `code`, never by HTTP status or message text.
import { codeOf, type ErrorKind, statusOf } from '../../openapi/error-codes.ts';
import { isObject } from '../../openapi/json.ts';
import { gapValue, type Profile } from '../../openapi/profile.ts';
import type { Context } from '../context.ts';
import { describeAnswer, type Exchange, envelopeOf, succeeded } from '../core/exchange.ts';
import { isFailure } from '../core/failures.ts';
import { NotVerified, PromiseBroken, type RefusalTrial, WronglyRefused } from '../core/outcomes.ts';
import { writeJson } from '../core/parse-json.ts';

/** Throws WronglyRefused unless the deployment accepted the request; `what` completes "expected …". */
export function expectSuccess(
  context: Context,
  exchange: Exchange,
  what: string,
  trial: RefusalTrial = {},
): void {
  if (succeeded(exchange)) return;
  requireNotLimited(context, exchange, what);
  requireCode(exchange);
  throw new WronglyRefused(`${what} to be accepted (code 0)`, exchange, trial);
}

/**
 * Throws PromiseBroken unless the deployment refused the request; notes agreement or drift of the refusal's status and code. `or` is
 * another kind of error that the refusal may as well be taken for.
 */
export function expectRefusal(
  context: Context,
  exchange: Exchange,
  { what, kind, or }: { what: string; kind: ErrorKind; or?: ErrorKind },
): void {
  if (succeeded(exchange)) {
    throw new PromiseBroken(
      `${what} to be refused (a code other than 0)`,
      describeAnswer(exchange),
      exchange,
    );
  }
  requireNotLimited(context, exchange, what, kind);
  requireCode(exchange);
  observeRefusal(context, exchange, isErrorOf(context, exchange, or) ? or : kind);
}

/** Whether a refusal has the code and the status of a kind of error. */
function isErrorOf({ profile }: Context, exchange: Exchange, kind: ErrorKind | undefined): kind is ErrorKind {
  if (kind === undefined || envelopeOf(exchange).code !== codeOf(profile, kind)) return false;
  return exchange.response.status === statusOf(profile, kind);
}

/** Whether a refusal looks like the profile's answer to too many calls, or says when to try again; not where it looks exactly like one of `kind`. */
export function isRateLimited(context: Context, exchange: Exchange, kind?: ErrorKind): boolean {
  const { status, headers } = exchange.response;
  // A success may say when its result is there (RFC 9110, section 10.2.3).
  if (succeeded(exchange) || isErrorOf(context, exchange, kind)) return false;
  return saysRate(context, exchange) || status === 429 || 'retry-after' in headers;
}

function saysRate({ profile }: Context, exchange: Exchange): boolean {
  return envelopeOf(exchange).code === codeOf(profile, 'rate-limited');
}

/** Whether the service is down for a while: then it says when to try again, too. */
export function isUnavailable(context: Context, exchange: Exchange): boolean {
  return isFailure(exchange) && !saysRate(context, exchange);
}

/** Throws NotVerified where a call was refused for a while, whatever it was; see isRateLimited. */
export function requireNotLimited(
  context: Context,
  exchange: Exchange,
  what: string,
  kind?: ErrorKind,
): void {
  if (!isRateLimited(context, exchange, kind)) return;
  const why = isUnavailable(context, exchange)
    ? 'because the service is temporarily unavailable; run again when it is available'
    : 'for its rate, although the run stays within the limits; another client used them up; run again in a minute';
  throw new NotVerified(`${what} was refused (${describeAnswer(exchange)}) ${why}`);
}

/** What is refused so may be accepted a little later. */
const passing: readonly ErrorKind[] = ['unauthenticated', 'unknown-subscription', 'unknown-resource'];

/** The same where the refusal does not look like one of what is not known everywhere yet: a deployment may have one code for many errors. */
export function isOnlyRateLimited(context: Context, exchange: Exchange): boolean {
  return passing.every((kind) => isRateLimited(context, exchange, kind));
}

/** An answer without a code is neither a success nor a refusal, unless by its status; the missing code breaks ENV-1. */
function requireCode(exchange: Exchange): void {
  const { code } = envelopeOf(exchange);
  if (typeof code !== 'number' && typeof code !== 'string' && exchange.response.status < 400)
    throw new NotVerified(`the answer has no code to decide by (${describeAnswer(exchange)}); see ENV-1`);
}

/** What may refuse a call whatever is wrong with it. */
const inTheWay: readonly ErrorKind[] = [
  ...([
    'subscription-quota',
    'key-quota',
    'publish-under-way',
    'call-in-progress',
    'account-locked',
  ] as const),
];

/** Whether a profile says something of a kind of error, or the default holds. */
function sourceOf(profile: Profile, gap: string, kind: ErrorKind): 'profile' | 'default' {
  const value = gapValue(profile, gap);
  const isSilent = !profile.stated.has(gap) || (isObject(value) && !Object.hasOwn(value, kind));
  return isSilent ? 'default' : 'profile';
}

/** Notes whether a refusal has the status and the code that the profile says; not where it is exactly that of something in the way. */
export function observeRefusal(context: Context, exchange: Exchange, kind: ErrorKind): void {
  const { profile, observations } = context;
  const isOther = inTheWay.some((other) => other !== kind && isErrorOf(context, exchange, other));
  if (isOther && !isErrorOf(context, exchange, kind)) return;
  const { status } = exchange.response;
  const { code } = envelopeOf(exchange);
  const note = (gap: string, expected: number, actual: unknown) => {
    if (actual === expected) observations.agrees(gap, 'as the profile says', kind);
    else
      observations.drifts(
        gap,
        `${kind} ${writeJson(actual)} (${sourceOf(profile, gap, kind)}: ${expected})`,
        kind,
      );
  };
  note('errors.http-status', statusOf(profile, kind), status);
  if (typeof code === 'number') note('errors.codes', codeOf(profile, kind), code);
}
