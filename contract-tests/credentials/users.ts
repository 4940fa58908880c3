// The users beside the one that a run logs in: a second one of the tenant, and one of another tenant.

import { call } from '../calls/call.ts';
import { isRateLimited } from '../calls/expect-answer.ts';
import { inventToken, otherSession, type Session, secondSession } from '../calls/user-session.ts';
import type { Need } from '../check.ts';
import { type Context, once } from '../context.ts';
import { describeAnswer, type Exchange, succeeded } from '../core/exchange.ts';
import { NotVerified } from '../core/outcomes.ts';
import { areAlike } from '../subscriptions/attribute-refusal.ts';
import { creationWorks, firstSubscription } from '../subscriptions/create-subscription.ts';
import { type Subscription, sendCreation, sendTest } from '../subscriptions/subscription-calls.ts';
import { testable } from './token-endpoints.ts';

export interface User {
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

export const otherTenant: User = {
  name: 'another-tenant',
  who: "another tenant's user",
  needs: ['second-tenant'],
  session: otherSession,
  siteOf: ({ options }) => options.other?.siteId,
};

/** Their tokens are used as the login gave them, while that of the run is renewed early. */
export const otherUsers: readonly User[] = [secondUser, otherTenant];

/** A call with a user's token, and the same with an invented one where it was refused. */
export interface TokenUse {
  exchange: Exchange;
  /** The requirement that the refusal breaks. */
  blamed: 'LOGIN-1' | 'AUTH-2' | undefined;
}

/** What becomes of a user's token in the creation of a subscription on a site of their own. Throws NotVerified where it says nothing of the token. */
export function creationBy(context: Context, user: User): Promise<TokenUse & { siteID: unknown }> {
  return once(context, createAs, user.name);
}

async function createAs(context: Context, name: User['name']): Promise<TokenUse & { siteID: unknown }> {
  const user = name === secondUser.name ? secondUser : otherTenant;
  const { token } = await user.session(context);
  const siteID = user.siteOf(context);
  const send = async (by: string) => (await sendCreation(context, { siteID }, { token: by })).exchange;
  const sendOwn = async () => (await sendCreation(context)).exchange;
  return { siteID, ...(await useOf(context, { token, send, sendOwn })) };
}

/** The same for the test of a subscription. */
export async function testBy(context: Context, user: User): Promise<TokenUse> {
  const { token } = await user.session(context);
  const subscription = await subscriptionFor(context, user);
  return useOf(context, {
    token,
    send: (by) => sendTest(context, subscription, { token: by }),
    sendOwn: async () => sendTest(context, await testable(context)),
  });
}

/** One that the user may test: the tenant's first one, or the other tenant's own. */
async function subscriptionFor(context: Context, user: User): Promise<Pick<Subscription, 'id' | 'siteID'>> {
  if (user.name === 'second-user') {
    await creationWorks(context);
    return firstSubscription(context);
  }
  const { exchange, siteID } = await creationBy(context, user);
  const { id } = exchange.values;
  if (!succeeded(exchange) || id === undefined)
    throw new NotVerified(`no subscription of ${user.who} is known (${describeAnswer(exchange)})`);
  return { id, siteID };
}

interface Use {
  token: string;
  send(token: string): Promise<Exchange>;
  /** The same call with the run's own token. */
  sendOwn(): Promise<Exchange>;
}

async function useOf(context: Context, { token, send, sendOwn }: Use): Promise<TokenUse> {
  const exchange = await send(token);
  if (succeeded(exchange)) return { exchange, blamed: undefined };
  const answer = describeAnswer(exchange);
  if (isRateLimited(context, exchange))
    throw new NotVerified(`the call was refused for its rate (${answer})`);
  // A deployment may take a number of subscriptions and no more.
  const own = await sendOwn();
  if (!succeeded(own))
    throw new NotVerified(`the call was refused (${answer}), as the run's own is (${describeAnswer(own)})`);
  // Users may have unlike rights: what is refused otherwise than a token that nobody was given is not refused for its token.
  if (!areAlike(exchange, await send(inventToken(token))))
    throw new NotVerified(`the call was refused (${answer}), and otherwise than one with an invented token`);
  return { exchange, blamed: (await isAcceptedElsewhere(context, token)) ? 'AUTH-2' : 'LOGIN-1' };
}

async function isAcceptedElsewhere(context: Context, token: string): Promise<boolean> {
  const id = context.operations.has('listSites') ? 'listSites' : 'refresh';
  return succeeded(await call(context, id, { token, values: { token } }));
}
