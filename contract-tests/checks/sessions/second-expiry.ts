import { call } from '../../calls/call.ts';
import { expectRefusal, expectSuccess } from '../../calls/expect-answer.ts';
import { inventToken, secondSession } from '../../calls/user-session.ts';
import type { Check, Need } from '../../check.ts';
import { type Context, once } from '../../context.ts';
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified } from '../../core/outcomes.ts';
import { type Settled, settle } from '../../core/settled.ts';
import { creationBy, secondUser, testBy } from '../../credentials/users.ts';
import { firstSubscription } from '../../subscriptions/create-subscription.ts';
import { sendCreation, sendTest } from '../../subscriptions/subscription-calls.ts';
import { expire } from './expire-token.ts';
import { renewalWorks, renewedToken } from './refresh.ts';

const needs: readonly Need[] = ['account', 'site', 'creates', 'expiry', ...secondUser.needs];

const endpoints = [
  {
    name: 'create',
    what: 'the creation of a subscription',
    twin: creationBy,
    send: async (context: Context, token: string) => (await sendCreation(context, {}, { token })).exchange,
  },
  {
    name: 'test',
    what: 'the test of a subscription',
    twin: testBy,
    send: async (context: Context, token: string) =>
      sendTest(context, await firstSubscription(context), { token }),
  },
] as const;

/** What becomes of a second user's token when it expires: it came out of a login, and nobody has renewed it. */
export const secondExpiry: readonly Check[] = [
  ...endpoints.map(({ name, what }) => ({
    id: `auth-5-${name}-with-expired-token-of-${secondUser.name}`,
    isFurther: true,
    requirement: 'AUTH-5',
    needs,
    run: async (context: Context) => {
      const { invented, expired } = (await once(context, expireSecondSession)).uses.get(name)?.value() ?? {};
      if (!expired || !invented) throw new NotVerified('the endpoint was not called with an expired token');
      if (succeeded(invented)) throw new NotVerified(`${what} takes any token; see AUTH-4`);
      expectRefusal(context, expired, {
        what: `${what} with an expired session token of ${secondUser.who}`,
        kind: 'token-expired',
      });
    },
  })),
  {
    id: `refresh-4-expired-token-of-${secondUser.name}`,
    isFurther: true,
    requirement: 'REFRESH-4',
    needs,
    run: async (context) => {
      await renewalWorks(context);
      const { renewal, uses } = await once(context, expireSecondSession);
      uses.get('create')?.value();
      expectSuccess(context, renewal, `the renewal of an expired session token of ${secondUser.who}`);
      const token = renewedToken(context, renewal);
      const { exchange } = await sendCreation(context, {}, { token });
      expectSuccess(context, exchange, `the use of the renewed token of ${secondUser.who}`);
    },
  },
];

interface Uses {
  invented: Exchange;
  expired: Exchange;
}

interface ExpiredSession {
  uses: ReadonlyMap<string, Settled<Uses>>;
  renewal: Exchange;
}

/** The second user's token, first accepted, then expired, used wherever that is looked at, and renewed. */
async function expireSecondSession(context: Context): Promise<ExpiredSession> {
  const session = await secondSession(context);
  const { token } = session;
  const twins = new Map<string, Settled<void>>();
  for (const { name, twin } of endpoints)
    twins.set(name, await settle(async () => requireAccepted(await twin(context, secondUser))));
  await expire(context, session);
  const uses = new Map<string, Settled<Uses>>();
  for (const { name, send } of endpoints)
    uses.set(
      name,
      await settle(async () => {
        twins.get(name)?.value();
        const invented = await send(context, inventToken(token));
        return { invented, expired: await send(context, token) };
      }),
    );
  const renewal = await call(context, 'refresh', { values: { token }, token });
  return { uses, renewal };
}

function requireAccepted({ exchange, blamed }: Awaited<ReturnType<typeof testBy>>): void {
  if (blamed)
    throw new NotVerified(
      `the token of ${secondUser.who} is not accepted before it expires (${describeAnswer(exchange)}); see ${blamed}`,
    );
}
