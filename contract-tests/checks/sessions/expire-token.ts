// Session tokens that expire: used while they are valid, then again, and renewed.
import { call } from '../../calls/call.ts';
import { expectRefusal } from '../../calls/expect-answer.ts';
import { inventToken, type Session } from '../../calls/user-session.ts';
import type { Context } from '../../context.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { HarnessError, NotVerified } from '../../core/outcomes.ts';
import { type Settled, settle } from '../../core/settled.ts';
import type { Control } from '../../deployment/control-api.ts';

/** The answers to a call with an invented token and with the expired one. */
interface Uses {
  invented: Exchange;
  expired: Exchange;
}

export interface ExpiredSession {
  /** By the name of the call. */
  uses: ReadonlyMap<string, Settled<Uses>>;
  renewal: Exchange;
}

interface TokenCall {
  name: string;
  /** Throws NotVerified where the call is refused before the token has expired. */
  requireAccepted(): Promise<void>;
  send(token: string): Promise<Exchange>;
}

/** Lets a session's token expire, sends the calls with it, and renews it. The session is read after the calls with the valid token. */
export async function useExpiredToken(
  context: Context,
  calls: readonly TokenCall[],
  currentSession: () => Promise<Session>,
): Promise<ExpiredSession> {
  const accepted = new Map<string, Settled<void>>();
  for (const { name, requireAccepted } of calls) accepted.set(name, await settle(requireAccepted));
  const session = await currentSession();
  const { token } = session;
  await expire(context, session);
  const uses = new Map<string, Settled<Uses>>();
  for (const { name, send } of calls) {
    const use = async () => {
      accepted.get(name)?.value();
      return { invented: await send(inventToken(token)), expired: await send(token) };
    };
    uses.set(name, await settle(use));
  }
  return { uses, renewal: await call(context, 'refresh', { values: { token }, token }) };
}

/** Throws PromiseBroken where a call with an expired token was not refused. */
export function requireExpiredRefused(
  context: Context,
  uses: Settled<Uses> | undefined,
  { what, token }: { what: string; token: string },
): void {
  if (!uses) throw new NotVerified('the endpoint was not called with an expired token');
  const { invented, expired } = uses.value();
  if (succeeded(invented)) throw new NotVerified(`${what} accepts any token; see AUTH-4`);
  expectRefusal(context, expired, { what: `${what} with ${token}`, kind: 'token-expired' });
}

/** Through the control API of a mock; on any other deployment by waiting. */
async function expire(context: Context, { token, since }: Session): Promise<void> {
  const { control, clock, profile } = context;
  if (control) return expireByControl(control, token);
  await clock.waitUntil(since + profile.values['token.lifetime'] * 1_000 + 500, 'a session token to expire');
}

/** A mock knows the tokens of its logins and no others. */
async function expireByControl(control: Control, token: string): Promise<void> {
  try {
    await control.expireToken(token);
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error;
    throw new NotVerified('the token of a login is not known; see LOGIN-1');
  }
}
