import { blameCreation, blameTest } from '../blame.ts';
import type { Check, Need } from '../check.ts';
import type { Context } from '../context.ts';
import { describeAnswer, type Exchange, succeeded } from '../exchange.ts';
import { expectRefusal, expectSuccess } from '../expect.ts';
import { type Subscription, sendCreation, sendTest } from '../hook-calls.ts';
import { creationWorks, firstSubscription, subscribe } from '../hooks.ts';
import { NotVerified } from '../outcomes.ts';
import { inventToken, otherSession, sessionToken } from '../session.ts';
import { canCreate, requireRoom } from '../use-token.ts';

const needs: readonly Need[] = ['account', 'site', 'creates'];

/** The two webhook endpoints, as a check addresses them. */
export const endpoints = [
  {
    name: 'create',
    what: 'the creation of a subscription',
    send: async (context: Context, options: { token: string | null }) =>
      (await sendCreation(context, {}, options)).exchange,
    blame: async (context: Context) => ((await canCreate(context)) ? 'AUTH-2' : blameCreation(context)),
  },
  {
    name: 'test',
    what: 'the test of a subscription',
    send: async (context: Context, options: { token: string | null }) =>
      sendTest(context, await testable(context), options),
    blame: async (context: Context, refusal: Exchange) =>
      blameTest(context, await testable(context), refusal),
  },
] as const;

/** Who may call the webhook endpoints. */
export const authentication: readonly Check[] = [
  ...endpoints.map(({ name, what, send }) => ({
    id: `auth-1-${name}-without-authorization`,
    requirement: 'AUTH-1',
    needs,
    run: async (context: Context) => {
      await twin(context, name);
      expectRefusal(context, await send(context, { token: null }), {
        what: `${what} without Authorization`,
        kind: 'unauthenticated',
      });
    },
  })),
  ...endpoints.map(({ name, what, send, blame }) => ({
    id: `auth-2-${name}-with-session-token`,
    requirement: 'AUTH-2',
    needs: [...needs, 'receiver'] as const,
    run: async (context: Context) => {
      const token = await sessionToken(context);
      const exchange = await send(context, { token });
      await requireRoom(context, exchange, token);
      const blamed = succeeded(exchange) ? 'AUTH-2' : await blame(context, exchange);
      if (blamed !== 'AUTH-2')
        throw new NotVerified(`${what} was refused (${describeAnswer(exchange)}); see ${blamed}`);
      expectSuccess(context, exchange, `${what} with a session token`);
    },
  })),
  ...endpoints.map(({ name, what, send }) => ({
    id: `auth-3-${name}-with-api-key`,
    requirement: 'AUTH-3',
    needs: ['api-key', ...needs] as const,
    run: async (context: Context) => {
      await twin(context, name);
      const token = String(context.options.apiKey);
      const exchange = await send(context, { token });
      await requireRoom(context, exchange, token);
      expectSuccess(context, exchange, `${what} with an API key`);
    },
  })),
  ...endpoints.flatMap(({ name, what, send }) => [
    {
      id: `auth-4-${name}-with-invented-token`,
      requirement: 'AUTH-4',
      needs,
      run: async (context: Context) => {
        await twin(context, name);
        const token = inventToken(await sessionToken(context));
        expectRefusal(context, await send(context, { token }), {
          what: `${what} with an invented token`,
          kind: 'unauthenticated',
        });
      },
    },
    {
      id: `auth-4-${name}-with-invented-key`,
      requirement: 'AUTH-4',
      needs,
      run: async (context: Context) => {
        await twin(context, name);
        const token = inventToken(context.options.apiKey ?? `sp_${'0'.repeat(32)}`);
        expectRefusal(context, await send(context, { token }), {
          what: `${what} with an invented API key`,
          kind: 'unauthenticated',
        });
      },
    },
  ]),
  {
    id: 'auth-6-create-on-foreign-site',
    requirement: 'AUTH-6',
    needs: [...needs, 'second-tenant'],
    run: async (context) => {
      const theirs = await foreignSubscription(context);
      await creationWorks(context);
      for (const token of await tokensOf(context)) {
        const { exchange } = await sendCreation(context, { siteID: theirs.siteID }, { token });
        refuseForeign(context, exchange, "the creation of a subscription on another tenant's site");
      }
    },
  },
  {
    id: 'auth-6-test-on-foreign-site',
    requirement: 'AUTH-6',
    needs: [...needs, 'second-tenant'],
    run: async (context) => {
      const theirs = await foreignSubscription(context);
      const { token } = await otherSession(context);
      requireTest(await sendTest(context, theirs, { token }));
      for (const own of await tokensOf(context))
        refuseForeign(
          context,
          await sendTest(context, theirs, { token: own }),
          "the test of another tenant's subscription",
        );
    },
  },
  {
    id: 'auth-6-other-tenant-creates-on-own-site',
    requirement: 'AUTH-6',
    needs: [...needs, 'second-tenant'],
    run: async (context) => {
      await foreignSubscription(context);
      const { token } = await otherSession(context);
      await creationWorks(context);
      const { exchange } = await sendCreation(context, {}, { token });
      refuseForeign(context, exchange, 'the creation of a subscription on the site by another tenant');
    },
  },
  {
    id: 'auth-6-other-tenant-tests-own-site',
    requirement: 'AUTH-6',
    needs: [...needs, 'second-tenant'],
    run: async (context) => {
      await foreignSubscription(context);
      const { token } = await otherSession(context);
      const ours = await testable(context);
      requireTest(await sendTest(context, ours));
      refuseForeign(
        context,
        await sendTest(context, ours, { token }),
        'the test of a subscription by another tenant',
      );
    },
  },
];

/** A subscription with an identifier, so that its test has a path. */
async function testable(context: Context): Promise<Subscription> {
  await creationWorks(context);
  return firstSubscription(context);
}

/** The right call that must pass before a refusal of a wrong one means anything. */
export async function twin(context: Context, endpoint: 'create' | 'test'): Promise<void> {
  await creationWorks(context);
  if (endpoint === 'test') requireTest(await sendTest(context, await testable(context)));
}

function requireTest(exchange: Exchange): void {
  if (!succeeded(exchange))
    throw new NotVerified(
      `the test of a subscription was refused (${describeAnswer(exchange)}); see HOOK-10`,
    );
}

/** A subscription that the other tenant made on its own site: its own calls pass. */
async function foreignSubscription(context: Context): Promise<Subscription> {
  const { token } = await otherSession(context);
  return subscribe(context, { siteID: context.options.other?.siteId }, { token });
}

/** The tenant's session token, and its API key where there is one. */
async function tokensOf(context: Context): Promise<string[]> {
  const { apiKey } = context.options;
  return [await sessionToken(context), ...(apiKey ? [apiKey] : [])];
}

function refuseForeign(context: Context, exchange: Exchange, what: string): void {
  expectRefusal(context, exchange, { what, kind: 'foreign-site' });
}
