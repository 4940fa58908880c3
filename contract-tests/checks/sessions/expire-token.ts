// Session tokens that expire: used while they are valid, then again, and renewed.
import { call } from '../../calls/call.ts';
import { expectRefusal } from '../../calls/expect-answer.ts';
import { inventToken, type Session } from '../../calls/user-session.ts';
import type { Context } from '../../context.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { HarnessError, NotVerified } from '../../core/outcomes.ts';
import { type Settled, settle } from '../../core/settled.ts';
import type { endpoints } from '../../credentials/token-endpoints.ts';
import type { Control } from '../../deployment/control-api.ts';

/** The answers of an endpoint to an invented token and to the expired one. */
interface Uses {
  invented: Exchange;
  expired: Exchange;
}

export interface ExpiredSession {
  /** By the name of the endpoint. */
  uses: ReadonlyMap<string, Settled<Uses>>;
  renewal: Exchange;
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
      return { invented, expired: await send(context, { token }) };
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
