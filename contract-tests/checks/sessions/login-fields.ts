import { expectRefusal } from '../../calls/expect-answer.ts';
import { sendLogin, type TenantLabel, takeLogins } from '../../calls/user-session.ts';
import type { Check, Need } from '../../check.ts';
import type { Account } from '../../core/suite-options.ts';
import { validLogin } from './valid-login.ts';

const needs: readonly Need[] = ['account'];

/** Values that are no string: among them a list that holds the right text, and an object such as a document store has in its queries. */
const shapes: readonly (readonly [shape: string, make: (text: string) => unknown])[] = [
  ['number', () => 20],
  ['null', () => null],
  ['array', (text) => [text]],
  ['object', () => ({ $gt: '' })],
];

/** The two fields of a login, each of them missing or no string. */
export const loginFields: readonly Check[] = [
  refusedLogin({
    id: 'login-4-missing-username',
    requirement: 'LOGIN-4',
    what: 'a login without username',
    change: ({ username: _missing, ...rest }) => rest,
  }),
  refusedLogin({
    id: 'login-4-missing-password',
    requirement: 'LOGIN-4',
    countsFor: 'main',
    what: 'a login without password',
    change: ({ password: _missing, ...rest }) => rest,
  }),
  refusedLogin({
    id: 'login-4-missing-both',
    requirement: 'LOGIN-4',
    what: 'a login with neither username nor password',
    change: ({ username: _missing, password: _too, ...rest }) => rest,
  }),
  ...shapes.map(([shape, make]) =>
    refusedLogin({
      id: `login-5-username-${shape}`,
      requirement: 'LOGIN-5',
      what: `a login whose username is ${describe(shape)}`,
      change: (body, { username }) => ({ ...body, username: make(username) }),
    }),
  ),
  ...shapes.map(([shape, make], index) =>
    refusedLogin({
      id: `login-5-password-${shape}`,
      requirement: 'LOGIN-5',
      countsFor: index === 0 ? 'main' : 'other',
      what: `a login whose password is ${describe(shape)}`,
      change: (body, { password }) => ({ ...body, password: make(password) }),
    }),
  ),
];

interface RefusedLogin {
  id: string;
  requirement: string;
  what: string;
  /** The tenant whose login it should count as, where it names a user. */
  countsFor?: TenantLabel;
  change(body: Record<string, unknown>, account: Account): unknown;
}

function refusedLogin({ id, requirement, what, countsFor, change }: RefusedLogin): Check {
  return {
    id,
    requirement,
    needs,
    run: async (context) => {
      const { account, tenant } = await validLogin(context, countsFor);
      if (countsFor) await takeLogins(context, tenant, 1);
      const spoil = (body: unknown) => change(body as Record<string, unknown>, account);
      expectRefusal(context, await sendLogin(context, account, { spoil }), {
        what,
        kind: 'invalid-request',
        // A login without a password may be refused like one with a wrong one.
        or: 'bad-credentials',
      });
    },
  };
}

function describe(shape: string): string {
  return shape === 'null' ? 'null' : `${/^[aeiou]/.test(shape) ? 'an' : 'a'} ${shape}`;
}
