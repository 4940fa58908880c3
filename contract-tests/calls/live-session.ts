// A session may end in the middle of a run, such as by somebody else's login of the same user, and a new token may not be known everywhere yet.
import { type Context, oncePerRun } from '../context.ts';
import { areAlike, type Exchange, succeeded } from '../core/exchange.ts';
import { NotVerified } from '../core/outcomes.ts';
import { settle } from '../core/settled.ts';
import { call } from './call.ts';
import { untilAccepted } from './look-again.ts';
import { inventToken, listsSitesBySession, renew, sessionToken, startNewSession } from './user-session.ts';

/** How often a run replaces a session that somebody has ended: each takes one of the ten logins a minute. */
const mostReplacements = 12;

/** Sends a call with the session token, and once more with a new session where the refusal means that the session has ended. */
export async function withSession(
  context: Context,
  send: (token: string) => Promise<Exchange>,
): Promise<Exchange> {
  const token = await sessionToken(context);
  const first = await send(token);
  if (succeeded(first) || !(await hasEnded(context, token, first))) return first;
  const { sessions } = context;
  if (sessions.replaced >= mostReplacements)
    throw new NotVerified(
      `another login ended the session ${sessions.replaced} times; use a user that is not used elsewhere`,
    );
  sessions.replaced++;
  await startNewSession(context);
  return untilAccepted(context, async () => send(await sessionToken(context)));
}

/** Whether a refusal is that of an invented token, and other calls refuse the token too. */
async function hasEnded(context: Context, token: string, refusal: Exchange): Promise<boolean> {
  const { sessions } = context;
  if (sessions.areAlikeForAll) return false;
  const invented = await settle(() => refusalOfInvented(context));
  if (invented.error || !areAlike(refusal, invented.value())) return false;
  if (!(await isAlive(context, token))) return true;
  // Where other mistakes are refused in the same way, refusals tell nothing about sessions.
  sessions.areAlikeForAll = true;
  return false;
}

/** Whether the list of sites, or a renewal, accepts the token; later calls use the renewed one. */
async function isAlive(context: Context, token: string): Promise<boolean> {
  const look = () =>
    listsSitesBySession(context) ? call(context, 'listSites', { token }) : renew(context, token);
  return succeeded(await untilAccepted(context, look));
}

/** The refusal of a token that was never issued, at the beginning of the run. */
export const refusalOfInvented = oncePerRun(sendInvented);

export async function sendInvented(context: Context): Promise<Exchange> {
  const token = inventToken(await sessionToken(context));
  const exchange = await call(context, 'refresh', { token, values: { token } });
  if (succeeded(exchange)) throw new NotVerified('an invented token is renewed; see REFRESH-3');
  return exchange;
}
