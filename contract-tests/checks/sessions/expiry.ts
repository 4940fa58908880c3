import { call } from '../../calls/call.ts';
import { expectRefusal, expectSuccess } from '../../calls/expect-answer.ts';
import {
  inventToken,
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
import { type Settled, settle } from '../../core/settled.ts';
import { endpoints, sendValidCounterpart } from '../../credentials/token-endpoints.ts';
import { useToken } from '../../credentials/use-token.ts';
import { sendCreation } from '../../subscriptions/subscription-calls.ts';
import { expire } from './expire-token.ts';
import { renewalWorks, renewedToken } from './refresh.ts';
import { secondExpiry } from './second-expiry.ts';

const needs: readonly Need[] = ['account', 'expiry'];

/** What becomes of a session token that expires: that of the run, which was renewed before, and that of a second user, which was not. */
export const expiry: readonly Check[] = [
  {
    id: 'refresh-1-another-tenant',
    isFurther: true,
    requirement: 'REFRESH-1',
    needs: ['account', 'creates', 'second-tenant'],
    run: requireRenewalOfOther,
  },
  ...endpoints.map(({ name, what }) => ({
    id: `auth-5-${name}-with-expired-token`,
    requirement: 'AUTH-5',
    needs: [...needs, 'site', 'creates'] as const,
    run: async (context: Context) => {
      const kept = (await once(context, expireSession)).uses.get(name);
      if (!kept) throw new NotVerified('the endpoint was not called with an expired token');
      const { invented, expired } = kept.value();
      if (succeeded(invented)) throw new NotVerified(`${what} takes any token; see AUTH-4`);
      expectRefusal(context, expired, {
        what: `${what} with an expired session token`,
        kind: 'token-expired',
      });
    },
  })),
  {
    id: 'refresh-4-expired-token',
    requirement: 'REFRESH-4',
    needs,
    run: async (context) => {
      await renewalWorks(context);
      const { renewal } = await once(context, expireSession);
      expectSuccess(context, renewal, 'the renewal of an expired session token');
      await useToken(context, renewedToken(context, renewal), 'the renewal of an expired token');
    },
  },
  ...secondExpiry,
];

/** Late, for until then the other tenant's token is used as the login gave it. */
async function requireRenewalOfOther(context: Context): Promise<void> {
  const { token } = await otherSession(context);
  const siteID = context.options.other?.siteId;
  const before = await sendCreation(context, { siteID }, { token });
  if (!succeeded(before.exchange))
    throw new NotVerified("the other tenant's token is not accepted on its own site; see LOGIN-1");
  const renewal = await call(context, 'refresh', { values: { token }, token });
  expectSuccess(context, renewal, "the renewal of another tenant's session token");
  const renewed = renewedToken(context, renewal);
  const { exchange } = await sendCreation(context, { siteID }, { token: renewed });
  if (succeeded(exchange)) return useOtherSession(context, { token: renewed, since: renewal.at });
  forget(context, logInOther);
  expectSuccess(context, exchange, "the use of another tenant's renewed token");
}

/** The answers to calls of an endpoint with an invented token and with the expired one. */
interface Uses {
  invented: Exchange;
  expired: Exchange;
}

interface ExpiredSession {
  uses: ReadonlyMap<string, Settled<Uses>>;
  renewal: Exchange;
}

/** Lets the session's token expire, uses it wherever that is looked at, renews it, and goes on with the renewed one. */
async function expireSession(context: Context): Promise<ExpiredSession> {
  const canCreate = context.options.tier !== 'smoke' && context.siteId !== undefined;
  const tried = canCreate ? endpoints : [];
  const twins = new Map<string, Settled<void>>();
  for (const { name } of tried) twins.set(name, await settle(() => sendValidCounterpart(context, name)));
  await sessionToken(context);
  const session = await mainSession(context);
  await expire(context, session);
  const { token } = session;
  const uses = new Map<string, Settled<Uses>>();
  for (const { name, send } of tried)
    uses.set(
      name,
      await settle(async () => {
        twins.get(name)?.value();
        const invented = await send(context, { token: inventToken(token) });
        return { invented, expired: await send(context, { token }) };
      }),
    );
  const renewal = await call(context, 'refresh', { values: { token }, token });
  const renewed = renewal.values.token;
  if (succeeded(renewal) && typeof renewed === 'string') useRenewedToken(context, renewed);
  else await settle(() => startNewSession(context));
  return { uses, renewal };
}
