// The further users of a run: a second one of the tenant, and one of another tenant.
import { call } from '../calls/call.ts';
import { requireNotLimited } from '../calls/expect-answer.ts';
import {
  inventToken,
  listsSitesBySession,
  otherSession,
  type Session,
  secondSession,
} from '../calls/user-session.ts';
import type { Need } from '../check.ts';
import { type Context, once } from '../context.ts';
import { areAlike, describeAnswer, type Exchange, succeeded } from '../core/exchange.ts';
import { NotVerified } from '../core/outcomes.ts';
import { requireFirstSubscription } from '../subscriptions/create-subscription.ts';
import { subscriptionOfOther } from '../subscriptions/foreign-subscriptions.ts';
import { staysBehind } from '../subscriptions/left-behind.ts';
import { type Subscription, sendCreation, sendTest } from '../subscriptions/subscription-calls.ts';

interface User {
  name: 'second-user' | 'another-tenant';
  /** Completes "the token of …". */
  who: string;
  needs: readonly Need[];
  session(context: Context): Promise<Session>;
  siteOf(context: Context): unknown;
}

export const secondUser: User = {
  name: 'second-user',
  who: 'a second user of the tenant',
  needs: ['second-user', 'disruptive'],
  session: secondSession,
  siteOf: ({ siteId }) => siteId,
};

const otherTenant: User = {
  name: 'another-tenant',
  who: "another tenant's user",
  needs: ['second-tenant'],
  session: otherSession,
  siteOf: ({ options }) => options.other?.siteId,
};

/** Their tokens come from a login, while that of the main user is renewed early. */
export const otherUsers: readonly User[] = [secondUser, otherTenant];

/** A call with a user's token. */
interface TokenUse {
  exchange: Exchange;
  /** The requirement that a refusal breaks; undefined where the call succeeded. */
  brokenRequirement: 'LOGIN-1' | 'AUTH-2' | undefined;
}

/** The creation of a subscription with a user's token, on their own site; once a run. Throws NotVerified where a refusal may have another reason. */
export function creationBy(context: Context, user: User): Promise<TokenUse & { siteID: unknown }> {
  return once(context, createAs, user.name);
}

async function createAs(context: Context, name: User['name']): Promise<TokenUse & { siteID: unknown }> {
  const user = name === secondUser.name ? secondUser : otherTenant;
  const { token } = await user.session(context);
  const siteID = user.siteOf(context);
  if (staysBehind(context) && user.name === otherTenant.name) {
    const theirs = await subscriptionOfOther(context, 'to look at');
    if (!theirs.error) return { siteID, exchange: theirs.value().exchange, brokenRequirement: undefined };
  }
  const shouldPass = user.name === secondUser.name;
  const send = async (by: string) =>
    (await sendCreation(context, { siteID }, { token: by, shouldPass: shouldPass && by === token })).exchange;
  const sendOwn = async () => (await sendCreation(context)).exchange;
  return { siteID, ...(await assessTokenUse(context, { token, send, sendOwn })) };
}

/** The same for the test of a subscription, every time. */
export async function testBy(context: Context, user: User): Promise<TokenUse> {
  const { token } = await user.session(context);
  const subscription = await subscriptionFor(context, user);
  return assessTokenUse(context, {
    token,
    send: (by) => sendTest(context, subscription, { token: by }),
    sendOwn: async () => sendTest(context, await requireFirstSubscription(context)),
  });
}

/** A subscription that the user may test: the tenant's first one, or that of the other tenant. */
async function subscriptionFor(context: Context, user: User): Promise<Pick<Subscription, 'id' | 'siteID'>> {
  if (user.name === 'second-user') return requireFirstSubscription(context);
  const { exchange, siteID } = await creationBy(context, user);
  const { id } = exchange.values;
  if (!succeeded(exchange) || id === undefined)
    throw new NotVerified(`no subscription of ${user.who} is known (${describeAnswer(exchange)})`);
  return { id, siteID };
}

interface TokenCalls {
  token: string;
  send(token: string): Promise<Exchange>;
  /** The same call with the run's own token. */
  sendOwn(): Promise<Exchange>;
}

async function assessTokenUse(context: Context, { token, send, sendOwn }: TokenCalls): Promise<TokenUse> {
  const exchange = await send(token);
  if (succeeded(exchange)) return { exchange, brokenRequirement: undefined };
  const answer = describeAnswer(exchange);
  requireNotLimited(context, exchange, 'the call');
  // The deployment may accept no more subscriptions.
  const own = await sendOwn();
  if (!succeeded(own))
    throw new NotVerified(`the call was refused (${answer}), as the run's own is (${describeAnswer(own)})`);
  // Users may have different rights: where an invented token gets another refusal, this one is not for the token.
  if (!areAlike(exchange, await send(inventToken(token))))
    throw new NotVerified(
      `the call was refused (${answer}), but not in the same way as one with an invented token`,
    );
  return { exchange, brokenRequirement: (await isAcceptedElsewhere(context, token)) ? 'AUTH-2' : 'LOGIN-1' };
}

async function isAcceptedElsewhere(context: Context, token: string): Promise<boolean> {
  const id = listsSitesBySession(context) ? 'listSites' : 'refresh';
  return succeeded(await call(context, id, { token, values: { token } }));
}
