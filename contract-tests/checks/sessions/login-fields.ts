import { expectRefusal } from '../../calls/expect-answer.ts';
import { sendLogin, takeLogins } from '../../calls/user-session.ts';
import type { Check, Need } from '../../check.ts';
import type { Context } from '../../context.ts';
import type { Account } from '../../core/suite-options.ts';
import { validLogin } from './valid-login.ts';

const needs: readonly Need[] = ['account'];

/** What is no string: a list that holds the right text alone, and an object as the query of a document store has it. */
const shapes: readonly (readonly [shape: string, make: (text: string) => unknown])[] = [
  ['number', () => 20],
  ['null', () => null],
  ['array', (text) => [text]],
  ['object', () => ({ $gt: '' })],
];

/** The two fields of a login, each of them missing or no string. */
export const loginFields: readonly Check[] = [
  {
    id: 'login-4-missing-username',
    requirement: 'LOGIN-4',
    needs,
    run: async (context) => {
      const { account } = await validLogin(context);
      const spoil = ({ username: _gone, ...rest }: Body) => rest;
      await refuseSpoilt(context, { account, what: 'a login without username', spoil });
    },
  },
  {
    id: 'login-4-missing-password',
    requirement: 'LOGIN-4',
    needs,
    run: async (context) => {
      const { account, tenant } = await validLogin(context);
      await takeLogins(context, tenant, 1);
      const spoil = ({ password: _gone, ...rest }: Body) => rest;
      await refuseSpoilt(context, { account, what: 'a login without password', spoil });
    },
  },
  {
    id: 'login-4-missing-both',
    requirement: 'LOGIN-4',
    needs,
    run: async (context) => {
      const { account } = await validLogin(context);
      const spoil = ({ username: _gone, password: _too, ...rest }: Body) => rest;
      await refuseSpoilt(context, { account, what: 'a login with neither username nor password', spoil });
    },
  },
  ...shapes.map(([shape, make]) => ({
    id: `login-5-username-${shape}`,
    requirement: 'LOGIN-5',
    needs,
    run: async (context: Context) => {
      const { account } = await validLogin(context);
      await refuseSpoilt(context, {
        account,
        what: `a login whose username is ${describe(shape)}`,
        spoil: (body) => ({ ...body, username: make(account.username) }),
      });
    },
  })),
  ...shapes.map(([shape, make], index) => ({
    id: `login-5-password-${shape}`,
    requirement: 'LOGIN-5',
    needs,
    run: async (context: Context) => {
      const { account, tenant } = await validLogin(context, index === 0 ? 'main' : 'other');
      await takeLogins(context, tenant, 1);
      await refuseSpoilt(context, {
        account,
        what: `a login whose password is ${describe(shape)}`,
        spoil: (body) => ({ ...body, password: make(account.password) }),
      });
    },
  })),
];

type Body = Record<string, unknown>;

interface Spoilt {
  account: Account;
  what: string;
  spoil: (body: Body) => unknown;
}

async function refuseSpoilt(context: Context, { account, what, spoil }: Spoilt): Promise<void> {
  const exchange = await sendLogin(context, account, { spoil: (body) => spoil(body as Body) });
  expectRefusal(context, exchange, { what, kind: 'invalid-request' });
}

function describe(shape: string): string {
  return shape === 'null' ? 'null' : `${/^[aeiou]/.test(shape) ? 'an' : 'a'} ${shape}`;
}
