import { getAt } from '../../openapi/json-pointer.ts';
import type { Check, Need } from '../check.ts';
import type { Context } from '../context.ts';
import { describeAnswer, type Exchange } from '../exchange.ts';
import { expectRefusal } from '../expect.ts';
import type { Account } from '../options.ts';
import { NotVerified, PromiseBroken } from '../outcomes.ts';
import {
  budgetKey,
  inventToken,
  mainLogin,
  mainSession,
  otherSession,
  sendLogin,
  type TenantLabel,
  takeLogins,
} from '../session.ts';
import { isOnlyRenewed, useToken } from '../use-token.ts';

const needs: readonly Need[] = ['account'];
const shapes: readonly (readonly [string, unknown])[] = [
  ['number', 20],
  ['null', null],
  ['array', ['x']],
  ['object', { x: 1 }],
];

/** Logging in with a username and a password. */
export const login: readonly Check[] = [
  {
    id: 'login-1-token-works',
    requirement: 'LOGIN-1',
    needs,
    run: async (context) => {
      const { token } = await mainSession(context);
      await useToken(context, token, 'the token of a login');
      if (await isOnlyRenewed(context))
        throw new PromiseBroken(
          'the token of a login to be accepted where an API key is',
          'it is renewed, but refused by the creation of a subscription and the list of sites',
        );
    },
  },
  {
    id: 'login-2-no-authorization',
    requirement: 'LOGIN-2',
    needs,
    run: async (context) => {
      const passed = await mainLogin(context);
      if ('Authorization' in passed.request.headers) {
        throw new PromiseBroken(
          'a login without an Authorization header to pass',
          'it passed only with one',
          passed,
        );
      }
    },
  },
  {
    id: 'login-3-wrong-password',
    requirement: 'LOGIN-3',
    needs,
    run: async (context) => {
      const { account, tenant } = await twin(context);
      await takeLogins(context, tenant, 1);
      const exchange = await sendLogin(context, { ...account, password: inventToken(account.password) });
      expectRefusal(context, exchange, { what: 'a login with a wrong password', kind: 'bad-credentials' });
      expectNoToken(context, exchange);
    },
  },
  {
    id: 'login-4-missing-username',
    requirement: 'LOGIN-4',
    needs,
    run: async (context) => {
      const { account } = await twin(context);
      await refuseSpoilt(context, {
        account,
        what: 'a login without username',
        spoil: ({ username: _gone, ...rest }) => rest,
      });
    },
  },
  {
    id: 'login-4-missing-password',
    requirement: 'LOGIN-4',
    needs,
    run: async (context) => {
      const { account, tenant } = await twin(context);
      await takeLogins(context, tenant, 1);
      await refuseSpoilt(context, {
        account,
        what: 'a login without password',
        spoil: ({ password: _gone, ...rest }) => rest,
      });
    },
  },
  ...shapes.map(([shape, value]) => ({
    id: `login-5-username-${shape}`,
    requirement: 'LOGIN-5',
    needs,
    run: async (context: Context) => {
      const { account } = await twin(context);
      await refuseSpoilt(context, {
        account,
        what: `a login whose username is ${describe(shape)}`,
        spoil: (body) => ({ ...body, username: value }),
      });
    },
  })),
  ...shapes.map(([shape, value], index) => ({
    id: `login-5-password-${shape}`,
    requirement: 'LOGIN-5',
    needs,
    run: async (context: Context) => {
      const { account, tenant } = await twin(context, index === 0 ? 'main' : 'other');
      await takeLogins(context, tenant, 1);
      await refuseSpoilt(context, {
        account,
        what: `a login whose password is ${describe(shape)}`,
        spoil: (body) => ({ ...body, password: value }),
      });
    },
  })),
];

/**
 * A user whose right login has passed. Logins are few: the checks that need most of them ask for another tenant's user, and the
 * others get one where the tenant's own logins are nearly used up.
 */
async function twin(
  context: Context,
  preferred: TenantLabel = 'main',
): Promise<{ account: Account; tenant: TenantLabel }> {
  const { options, budget } = context;
  await mainLogin(context);
  if (!options.account) throw new NotVerified('there are no credentials of the tenant');
  const isWanted = preferred === 'other' || budget.isShort(budgetKey(context, 'main'));
  if (!options.other || !isWanted || budget.isShort(budgetKey(context, 'other')))
    return { account: options.account, tenant: 'main' };
  await otherSession(context);
  return { account: options.other, tenant: 'other' };
}

interface Spoilt {
  account: Account;
  what: string;
  spoil: (body: Record<string, unknown>) => unknown;
}

async function refuseSpoilt(context: Context, { account, what, spoil }: Spoilt): Promise<void> {
  const exchange = await sendLogin(context, account, {
    spoil: (body) => spoil(body as Record<string, unknown>),
  });
  expectRefusal(context, exchange, { what, kind: 'invalid-request' });
}

function expectNoToken(context: Context, exchange: Exchange): void {
  const pointer = context.profile.values['login.token'];
  const token = getAt(exchange.response.json, pointer);
  if (typeof token !== 'string' || token === '') return;
  context.secrets.add('SITEPUB_TOKEN', token);
  throw new PromiseBroken(`no token at ${pointer} of a refused login`, describeAnswer(exchange), exchange);
}

function describe(shape: string): string {
  return shape === 'null' ? 'null' : `${/^[aeiou]/.test(shape) ? 'an' : 'a'} ${shape}`;
}
