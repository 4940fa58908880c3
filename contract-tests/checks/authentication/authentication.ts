import { expectRefusal, expectSuccess } from '../../calls/expect-answer.ts';
import { inventToken, sessionToken } from '../../calls/user-session.ts';
import type { Check, Need } from '../../check.ts';
import type { Context } from '../../context.ts';
import { describeAnswer, succeeded } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { nearMissTokens } from '../../credentials/near-misses.ts';
import { endpoints, sendValidCounterpart } from '../../credentials/token-endpoints.ts';
import { requireCapacity } from '../../credentials/use-token.ts';
import { creationBy, otherUsers, testBy } from '../../credentials/users.ts';
import { foreignSites } from './foreign-sites.ts';

const needs: readonly Need[] = ['account', 'site', 'creates'];

/** Who may call the webhook endpoints. */
export const authentication: readonly Check[] = [
  ...endpoints.map(({ name, what, send }) => ({
    id: `auth-1-${name}-without-authorization`,
    requirement: 'AUTH-1',
    needs,
    run: async (context: Context) => {
      await sendValidCounterpart(context, name);
      expectRefusal(context, await send(context, { token: null }), {
        what: `${what} without Authorization`,
        kind: 'unauthenticated',
      });
    },
  })),
  ...endpoints.map(({ name, what, send }) => ({
    id: `auth-1-${name}-with-empty-bearer`,
    requirement: 'AUTH-1',
    needs,
    run: async (context: Context) => {
      await sendValidCounterpart(context, name);
      const headers = { Authorization: 'Bearer' };
      expectRefusal(context, await send(context, { token: null, headers }), {
        what: `${what} with no token behind the word Bearer`,
        kind: 'unauthenticated',
      });
    },
  })),
  ...endpoints.map(({ name, what, send, attributeRefusal }) => ({
    id: `auth-2-${name}-with-session-token`,
    requirement: 'AUTH-2',
    needs: [...needs, 'receiver'] as const,
    run: async (context: Context) => {
      const token = await sessionToken(context);
      const exchange = await send(context, { token });
      await requireCapacity(context, exchange, token);
      const brokenRequirement = succeeded(exchange) ? 'AUTH-2' : await attributeRefusal(context, exchange);
      if (brokenRequirement !== 'AUTH-2')
        throw new NotVerified(`${what} was refused (${describeAnswer(exchange)}); see ${brokenRequirement}`);
      expectSuccess(context, exchange, `${what} with a session token`);
    },
  })),
  ...otherUsers.flatMap((user) =>
    [
      { endpoint: endpoints[0], use: creationBy },
      { endpoint: endpoints[1], use: testBy },
    ].map(({ endpoint: { name, what }, use }) => ({
      id: `auth-2-${name}-by-${user.name}`,
      isFurther: true,
      requirement: 'AUTH-2',
      needs: [...needs, ...user.needs] as const,
      run: async (context: Context) => {
        const { exchange, brokenRequirement } = await use(context, user);
        if (brokenRequirement === 'LOGIN-1')
          throw new NotVerified('the token is accepted nowhere; see LOGIN-1');
        if (brokenRequirement)
          throw new PromiseBroken(
            `${what} with the session token of ${user.who} (code 0)`,
            describeAnswer(exchange),
            exchange,
          );
      },
    })),
  ),
  ...endpoints.map(({ name, what, send }) => ({
    id: `auth-3-${name}-with-api-key`,
    requirement: 'AUTH-3',
    needs: ['api-key', ...needs] as const,
    run: async (context: Context) => {
      await sendValidCounterpart(context, name);
      const token = String(context.options.apiKey);
      const exchange = await send(context, { token });
      await requireCapacity(context, exchange, token);
      expectSuccess(context, exchange, `${what} with an API key`);
    },
  })),
  ...endpoints.flatMap(({ name, what, send }) => [
    {
      id: `auth-4-${name}-with-invented-token`,
      requirement: 'AUTH-4',
      needs,
      run: async (context: Context) => {
        await sendValidCounterpart(context, name);
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
        await sendValidCounterpart(context, name);
        const token = inventToken(context.options.apiKey ?? `sp_${'0'.repeat(32)}`);
        expectRefusal(context, await send(context, { token }), {
          what: `${what} with an invented API key`,
          kind: 'unauthenticated',
        });
      },
    },
    {
      id: `auth-4-${name}-with-nearly-right-token`,
      requirement: 'AUTH-4',
      needs,
      run: async (context: Context) => {
        await sendValidCounterpart(context, name);
        for (const { how, text: token } of nearMissTokens(await sessionToken(context)))
          expectRefusal(context, await send(context, { token }), {
            what: `${what} with a session token ${how}`,
            kind: 'unauthenticated',
          });
      },
    },
    {
      id: `auth-4-${name}-with-nearly-right-key`,
      isFurther: true,
      requirement: 'AUTH-4',
      needs: ['api-key', ...needs] as const,
      run: async (context: Context) => {
        await sendValidCounterpart(context, name);
        for (const { how, text: token } of nearMissTokens(String(context.options.apiKey)))
          expectRefusal(context, await send(context, { token }), {
            what: `${what} with an API key ${how}`,
            kind: 'unauthenticated',
          });
      },
    },
  ]),
  ...foreignSites,
];
