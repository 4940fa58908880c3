// Session tokens that expire: used while they are valid, then again, and renewed.
import { call } from '../../calls/call.ts';
import { expectRefusal, expectSuccess } from '../../calls/expect-answer.ts';
import { settledMs } from '../../calls/look-again.ts';
import { inventToken, type Session } from '../../calls/user-session.ts';
import type { Context } from '../../context.ts';
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { HarnessError, NotVerified } from '../../core/outcomes.ts';
import { type Settled, settle } from '../../core/settled.ts';
import type { endpoints } from '../../credentials/token-endpoints.ts';
import type { Control } from '../../deployment/control-api.ts';

/** The answers of an endpoint to an invented token and to the expired one. */
interface Uses {
  invented: Exchange;
  expired: Exchange;
  /** Whether it is sure that the token has expired; else only the profile says so. */
  isSure: boolean;
}

export interface ExpiredSession {
  /** By the name of the endpoint. */
  uses: ReadonlyMap<string, Settled<Uses>>;
  renewal: Exchange;
  /** Whether the deployment itself showed when the token expires, or ended it by its control API; else only the profile says so. */
  isShown: boolean;
}

interface Expiry {
  endpoints: readonly (typeof endpoints)[number][];
  /** Throws NotVerified where an endpoint refuses the token before it has expired. */
  requireAccepted(name: 'create' | 'test'): Promise<void>;
  /** Read after the calls with the valid token, which may replace the session. */
  currentSession(): Promise<Session>;
}

/** Lets a session's token expire, uses it at the endpoints, and renews it. */
export async function useExpiredToken(
  context: Context,
  { endpoints, requireAccepted, currentSession }: Expiry,
): Promise<ExpiredSession> {
  const accepted = new Map<string, Settled<void>>();
  for (const { name } of endpoints) accepted.set(name, await settle(() => requireAccepted(name)));
  const session = await currentSession();
  const { token } = session;
  await expire(context, session);
  const uses = new Map<string, Settled<Uses>>();
  for (const { name, send } of endpoints) {
    const use = async () => {
      accepted.get(name)?.value();
      const invented = await send(context, { token: inventToken(token) });
      return { invented, ...(await useOnceExpired(context, session, () => send(context, { token }))) };
    };
    uses.set(name, await settle(use));
  }
  const isShown = context.control !== undefined || session.lifetimeMs !== undefined;
  return { uses, renewal: await call(context, 'refresh', { values: { token }, token }), isShown };
}

/** Throws PromiseBroken where a call with an expired token was not refused. */
export function requireExpiredRefused(
  context: Context,
  uses: Settled<Uses> | undefined,
  { what, token }: { what: string; token: string },
): void {
  if (!uses) throw new NotVerified('the endpoint was not called with an expired token');
  const { invented, expired, isSure } = uses.value();
  if (succeeded(invented)) throw new NotVerified(`${what} accepts any token; see AUTH-4`);
  if (succeeded(expired) && !isSure) throw notExpired(context, `${what} with ${token}`);
  expectRefusal(context, expired, { what: `${what} with ${token}`, kind: 'token-expired' });
}

/** Throws PromiseBroken where an expired token was not renewed, and NotVerified where it may not have expired. */
export function requireExpiredRenewed(
  context: Context,
  { uses, renewal, isShown }: ExpiredSession,
  what: string,
): void {
  const isStillAccepted = [...uses.values()].some((use) => !use.error && succeeded(use.value().expired));
  if (isStillAccepted) throw new NotVerified('the token has not expired; see AUTH-5');
  if (!succeeded(renewal) && !isShown)
    throw new NotVerified(
      `${what} was refused (${describeAnswer(renewal)}), but only token.lifetime in the profile says when the token expires; state login.expires-in`,
    );
  expectSuccess(context, renewal, what);
}

/** Through the control API of a mock; on any other deployment by waiting. */
async function expire(context: Context, { token, since }: Session): Promise<void> {
  const { control, clock, profile } = context;
  if (control) {
    await expireByControl(control, token);
    return clock.pass(settledMs, 'the end of a session token to reach every cache');
  }
  await clock.waitUntil(since + profile.values['token.lifetime'] * 1_000 + 500, 'a session token to expire');
}

/** How much longer than it said a deployment may accept a token, in milliseconds. */
const leewayMs = 5 * 60_000;

/**
 * Uses a token that should have expired. Where it is accepted, only a control API that ended it, or an expiry in the deployment's own
 * answer that passed five minutes ago, makes that sure.
 */
async function useOnceExpired(
  context: Context,
  { since, lifetimeMs }: Session,
  use: () => Promise<Exchange>,
): Promise<{ expired: Exchange; isSure: boolean }> {
  const expired = await use();
  if (context.control) return { expired, isSure: true };
  const end = lifetimeMs === undefined ? Number.NaN : since + lifetimeMs + leewayMs;
  const wait = end - context.clock.now();
  if (!succeeded(expired) || Number.isNaN(end) || wait > context.options.maxWaitMs)
    return { expired, isSure: false };
  await context.clock.waitUntil(end, 'five minutes after the expiry of a session token');
  return { expired: await use(), isSure: true };
}

/** The lifetime is a gap, and the profile may be wrong about it. */
function notExpired({ observations, profile }: Context, what: string): NotVerified {
  const seconds = profile.values['token.lifetime'];
  observations.drifts('token.lifetime', `still accepted after ${seconds} s`);
  return new NotVerified(
    `${what} is accepted ${seconds} s after the login; token.lifetime is wrong, or the deployment allows a leeway`,
  );
}

/** A mock knows the tokens of its logins and no others. */
async function expireByControl(control: Control, token: string): Promise<void> {
  try {
    await control.expireToken(token);
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error;
    throw new NotVerified('the token of the login is unknown; see LOGIN-1');
  }
}
