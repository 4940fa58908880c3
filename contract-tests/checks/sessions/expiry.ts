import { call } from '../../calls/call.ts';
import { expectSuccess } from '../../calls/expect-answer.ts';
import {
  logInOther,
  mainSession,
  otherSession,
  sessionToken,
  startNewSession,
  useOtherSession,
  useRenewedToken,
} from '../../calls/user-session.ts';
import type { Check, Need } from '../../check.ts';
import { type Context, forget, once } from '../../context.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified } from '../../core/outcomes.ts';
import { settle } from '../../core/settled.ts';
import { endpoints, sendValidCounterpart } from '../../credentials/token-endpoints.ts';
import { useToken } from '../../credentials/use-token.ts';
import { subscriptionOfOther } from '../../subscriptions/foreign-subscriptions.ts';
import { staysBehind } from '../../subscriptions/left-behind.ts';
import { sendCreation, sendTest } from '../../subscriptions/subscription-calls.ts';
import {
  type ExpiredSession,
  requireExpiredRefused,
  requireExpiredRenewed,
  useExpiredToken,
} from './expire-token.ts';
import { renewalWorks, renewedToken } from './refresh.ts';
import { secondExpiry } from './second-expiry.ts';

const needs: readonly Need[] = ['account', 'expiry'];

/** Session tokens that expire: the token of the run, which was renewed before, and the token of a second user, which was not. */
export const expiry: readonly Check[] = [
  {
    id: 'refresh-1-another-tenant',
    isFurther: true,
    requirement: 'REFRESH-1',
    needs: ['account', 'creates', 'second-tenant'],
    run: requireRenewalOfOther,
  },
  ...endpoints.map<Check>(({ name, what }) => ({
    id: `auth-5-${name}-with-expired-token`,
    requirement: 'AUTH-5',
    needs: [...needs, 'site', 'creates'],
    run: async (context) => {
      const { uses } = await once(context, expireSession);
      requireExpiredRefused(context, uses.get(name), { what, token: 'an expired session token' });
    },
  })),
  {
    id: 'refresh-4-expired-token',
    requirement: 'REFRESH-4',
    needs,
    run: async (context) => {
      await renewalWorks(context);
      const expired = await once(context, expireSession);
      requireExpiredRenewed(context, expired, 'the renewal of an expired session token');
      await useToken(context, renewedToken(context, expired.renewal), 'the renewal of an expired token');
    },
  },
  ...secondExpiry,
];

/** Runs late: until then the other tenant's token is used as the login returned it. */
async function requireRenewalOfOther(context: Context): Promise<void> {
  const { token } = await otherSession(context);
  const siteID = context.options.other?.siteId;
  const use = await useOn(context, siteID);
  if (!succeeded(await use(token)))
    throw new NotVerified("the other tenant's token is not accepted on its own site; see LOGIN-1");
  const renew = async (own: string) => {
    const renewal = await call(context, 'refresh', { values: { token: own }, token: own });
    expectSuccess(context, renewal, "the renewal of another tenant's session token");
    return renewal;
  };
  const renewal = await renew(token);
  const renewed = renewedToken(context, renewal);
  const exchange = await use(renewed);
  if (succeeded(exchange)) return useOtherSession(context, { token: renewed, since: renewal.at });
  forget(context, logInOther);
  const plain = async () => use((await otherSession(context)).token);
  const again = async () => {
    const next = await renew((await otherSession(context)).token);
    forget(context, logInOther);
    return use(renewedToken(context, next));
  };
  expectSuccess(context, exchange, "another tenant's renewed token", { again, plain, looks: 1 });
}

/** A call on the other tenant's site: a creation or, where that would stay, the test of one that there is. */
async function useOn(context: Context, siteID: unknown): Promise<(token: string) => Promise<Exchange>> {
  const theirs = staysBehind(context) ? await subscriptionOfOther(context, 'to look at') : undefined;
  return theirs === undefined || theirs.error
    ? async (token) => (await sendCreation(context, { siteID }, { token })).exchange
    : (token) => sendTest(context, theirs.value(), { token });
}

/** Lets the session's token expire, uses it, renews it, and goes on with the renewed one. */
async function expireSession(context: Context): Promise<ExpiredSession> {
  const canCreate = context.options.tier !== 'smoke' && context.siteId !== undefined;
  const expired = await useExpiredToken(context, {
    endpoints: canCreate ? endpoints : [],
    requireAccepted: (name) => sendValidCounterpart(context, name),
    currentSession: async () => {
      await sessionToken(context);
      // Only the answer to a login may show when its token expires.
      const isShown = context.profile.values['login.expires-in'] !== 'absent';
      if (isShown && !context.control) await startNewSession(context);
      return mainSession(context);
    },
  });
  const { renewal } = expired;
  const renewed = renewal.values.token;
  if (succeeded(renewal) && typeof renewed === 'string') useRenewedToken(context, renewed);
  else await settle(() => startNewSession(context));
  return expired;
}
