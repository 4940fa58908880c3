import type { CallOptions } from '../../calls/call.ts';
import { expectRefusal, expectSuccess } from '../../calls/expect-answer.ts';
import { withSession } from '../../calls/live-session.ts';
import { inventToken, sessionToken } from '../../calls/user-session.ts';
import type { Check, Need } from '../../check.ts';
import type { Context } from '../../context.ts';
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified, WronglyRefused } from '../../core/outcomes.ts';
import { settle } from '../../core/settled.ts';
import { nearMissTokens } from '../../credentials/near-misses.ts';
import { endpoints, sendValidCounterpart } from '../../credentials/token-endpoints.ts';
import { requireCapacity } from '../../credentials/use-token.ts';
import { creationBy, otherUsers, testBy } from '../../credentials/users.ts';
import { requireFirstSubscription } from '../../subscriptions/create-subscription.ts';
import { staysBehind } from '../../subscriptions/left-behind.ts';
import { customSubscription } from '../../subscriptions/shared-subscriptions.ts';
import { requireKeyAccepted } from './created-keys.ts';
import { foreignSites } from './foreign-sites.ts';

const needs: readonly Need[] = ['account', 'site', 'creates'];

/** Who may call the webhook endpoints. */
export const authentication: readonly Check[] = [
  ...endpoints.map((endpoint) =>
    refusal(endpoint, {
      id: `auth-1-${endpoint.name}-without-authorization`,
      requirement: 'AUTH-1',
      calls: () => [{ how: 'without Authorization', token: null }],
    }),
  ),
  ...endpoints.map((endpoint) =>
    refusal(endpoint, {
      id: `auth-1-${endpoint.name}-with-empty-bearer`,
      requirement: 'AUTH-1',
      calls: () => [
        { how: 'with the word Bearer and no token', token: null, headers: { Authorization: 'Bearer' } },
      ],
    }),
  ),
  ...endpoints.map<Check>(({ name, what, send, attributeRefusal }) => ({
    id: `auth-2-${name}-with-session-token`,
    requirement: 'AUTH-2',
    needs: [...needs, 'receiver'],
    run: async (context) => {
      const exchange =
        (await createdBySession(context, name)) ??
        (await withSession(context, (token) => send(context, { token })));
      await requireCapacity(context, exchange, await sessionToken(context));
      const brokenRequirement = succeeded(exchange) ? 'AUTH-2' : await attributeRefusal(context, exchange);
      if (brokenRequirement !== 'AUTH-2')
        throw new NotVerified(`${what} was refused (${describeAnswer(exchange)}); see ${brokenRequirement}`);
      expectSuccess(context, exchange, `${what} with a session token`);
    },
  })),
  ...otherUsers.flatMap((user) => [
    byOtherUser(user, endpoints[0], creationBy),
    byOtherUser(user, endpoints[1], testBy),
  ]),
  ...endpoints.map<Check>((endpoint) => ({
    id: `auth-3-${endpoint.name}-with-api-key`,
    requirement: 'AUTH-3',
    needs: ['api-key', ...needs],
    run: async (context) => {
      await sendValidCounterpart(context, endpoint.name);
      if (await wasCreatedByKey(context, endpoint.name)) return;
      await requireKeyAccepted(context, endpoint, {
        key: String(context.options.apiKey),
        which: 'an API key',
      });
    },
  })),
  ...endpoints.flatMap((endpoint) => [
    refusal(endpoint, {
      id: `auth-4-${endpoint.name}-with-invented-token`,
      requirement: 'AUTH-4',
      calls: async (context) => {
        const token = inventToken(await sessionToken(context));
        return [{ how: 'with an invented token', token }];
      },
    }),
    refusal(endpoint, {
      id: `auth-4-${endpoint.name}-with-invented-key`,
      requirement: 'AUTH-4',
      calls: ({ options: { apiKey = `sp_${'0'.repeat(32)}` } }) => [
        { how: 'with an invented API key', token: inventToken(apiKey) },
      ],
    }),
    refusal(endpoint, {
      id: `auth-4-${endpoint.name}-with-nearly-right-token`,
      requirement: 'AUTH-4',
      calls: async (context) => nearMisses('a session token', await sessionToken(context)),
    }),
    {
      ...refusal(endpoint, {
        id: `auth-4-${endpoint.name}-with-nearly-right-key`,
        requirement: 'AUTH-4',
        calls: ({ options }) => nearMisses('an API key', String(options.apiKey)),
      }),
      isFurther: true,
      needs: ['api-key', ...needs] as const,
    },
  ]),
  ...foreignSites,
];

type Endpoint = (typeof endpoints)[number];

/** Where each subscription would stay, the first one shows that it can be created with a session token; undefined otherwise. */
async function createdBySession(context: Context, name: Endpoint['name']): Promise<Exchange | undefined> {
  if (name !== 'create' || !staysBehind(context)) return undefined;
  const first = await settle(() => requireFirstSubscription(context));
  return first.error ? undefined : first.value().exchange;
}

/** Where each subscription would stay, the one that events are pushed to shows the same of the API key. */
async function wasCreatedByKey(context: Context, name: Endpoint['name']): Promise<boolean> {
  if (name !== 'create' || !staysBehind(context)) return false;
  return (await customSubscription(context, 'by-api-key')).error === undefined;
}

/** A call without a valid token; `how` completes "the creation of a subscription …". */
type WrongCall = CallOptions & { how: string };

interface Refusal {
  id: string;
  requirement: string;
  calls(context: Context): Promise<WrongCall[]> | WrongCall[];
}

function refusal({ name, what, send }: Endpoint, { id, requirement, calls }: Refusal): Check {
  return {
    id,
    requirement,
    needs,
    run: async (context) => {
      await sendValidCounterpart(context, name);
      for (const { how, ...options } of await calls(context))
        expectRefusal(context, await send(context, options), {
          what: `${what} ${how}`,
          kind: 'unauthenticated',
        });
    },
  };
}

function nearMisses(what: string, token: string): WrongCall[] {
  return nearMissTokens(token).map(({ how, text }) => ({ how: `with ${what} ${how}`, token: text }));
}

function byOtherUser(user: (typeof otherUsers)[number], { name, what }: Endpoint, use: typeof testBy): Check {
  return {
    id: `auth-2-${name}-by-${user.name}`,
    isFurther: true,
    requirement: 'AUTH-2',
    needs: [...needs, ...user.needs],
    run: async (context) => {
      const { exchange, brokenRequirement } = await use(context, user);
      if (brokenRequirement === 'LOGIN-1') throw new NotVerified('no call accepts the token; see LOGIN-1');
      if (!brokenRequirement) return;
      const expected = `${what} with the session token of ${user.who} to be accepted (code 0)`;
      throw new WronglyRefused(expected, exchange);
    },
  };
}
