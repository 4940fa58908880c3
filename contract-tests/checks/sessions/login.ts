import { getAt } from '../../../openapi/json-pointer.ts';
import { expectRefusal, requireNotLimited } from '../../calls/expect-answer.ts';
import {
  budgetKey,
  inventToken,
  mainLogin,
  mainSession,
  sendLogin,
  sessionToken,
  startNewSession,
  type TenantLabel,
  takeLogins,
} from '../../calls/user-session.ts';
import type { Check, Need } from '../../check.ts';
import type { Context } from '../../context.ts';
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { NotApplicable, NotVerified, PromiseBroken, WronglyRefused } from '../../core/outcomes.ts';
import { settle } from '../../core/settled.ts';
import { swapCase } from '../../credentials/near-misses.ts';
import { requireMoreThanRenewal, useToken } from '../../credentials/use-token.ts';
import { creationBy, otherUsers } from '../../credentials/users.ts';
import { loginFields } from './login-fields.ts';
import { type ValidLogin, validLogin } from './valid-login.ts';

const needs: readonly Need[] = ['account'];

interface NearPassword {
  name: string;
  /** Completes "a login with …". */
  what: string;
  tenant: TenantLabel;
  change(password: string): string;
  /** Whether a login that is accepted with it is only remarked: some products ignore a caps lock that was left on. */
  isRemarked?: boolean;
}

/** Spread over two tenants: ten logins a minute are few, and too many wrong ones may lock a user out. */
const nearPasswords: readonly NearPassword[] = [
  {
    name: 'in-other-case',
    what: 'the password in swapped case',
    tenant: 'main',
    change: swapCase,
    isRemarked: true,
  },
  {
    name: 'with-more-behind',
    what: 'more characters after the password',
    tenant: 'other',
    change: (password) => `${password}x1`,
  },
  {
    name: 'cut-short',
    what: 'a password without its last character',
    tenant: 'other',
    change: (password) => password.slice(0, -1),
  },
  { name: 'empty', what: 'an empty password', tenant: 'other', change: () => '' },
];

/** Logging in with a username and a password. */
export const login: readonly Check[] = [
  {
    id: 'login-1-token-works',
    requirement: 'LOGIN-1',
    needs,
    run: async (context) => {
      await useLoginToken(context);
      await requireMoreThanRenewal(context, await sessionToken(context));
    },
  },
  ...otherUsers.map<Check>((user) => ({
    id: `login-1-token-of-${user.name}`,
    isFurther: true,
    requirement: 'LOGIN-1',
    needs: [...needs, 'site', 'creates', ...user.needs],
    run: async (context) => {
      const { exchange, brokenRequirement } = await creationBy(context, user);
      if (brokenRequirement === 'AUTH-2')
        throw new NotVerified('the token is accepted elsewhere; see AUTH-2');
      if (brokenRequirement) throw new WronglyRefused(`the token of ${user.who} to be accepted`, exchange);
    },
  })),
  {
    id: 'login-2-no-authorization',
    requirement: 'LOGIN-2',
    needs,
    run: async (context) => {
      const passed = await mainLogin(context);
      if (!('Authorization' in passed.request.headers)) return;
      const plain = context.exchanges.find(({ operation }) => operation === 'login');
      if (plain) throw onlyWithHeader(context, plain, async () => String(context.options.apiKey));
    },
  },
  {
    id: 'login-2-again-without-authorization',
    isFurther: true,
    requirement: 'LOGIN-2',
    needs: [...needs, 'disruptive'],
    run: logInAgain,
  },
  {
    id: 'login-3-wrong-password',
    requirement: 'LOGIN-3',
    needs,
    run: async (context) => {
      const valid = await validLogin(context);
      const password = inventToken(valid.account.password);
      await requirePasswordRefused(context, valid, { password, what: 'a wrong password' });
    },
  },
  {
    id: 'login-3-unknown-user',
    requirement: 'LOGIN-3',
    needs,
    run: async (context) => {
      const { account } = await validLogin(context);
      // A user who does not exist uses up nobody's ten logins a minute.
      const username = `${context.runId}.${account.username}`;
      const exchange = await sendLogin(context, { username, password: account.password });
      expectRefusal(context, exchange, { what: 'a login of an unknown user', kind: 'bad-credentials' });
      expectNoToken(context, exchange);
    },
  },
  ...nearPasswords.map<Check>(({ name, what, tenant, change, isRemarked }) => ({
    id: `login-3-password-${name}`,
    isFurther: true,
    requirement: 'LOGIN-3',
    needs: [...needs, 'disruptive'],
    run: async (context) => {
      const valid = await validLogin(context, tenant);
      const password = change(valid.account.password);
      if (password === valid.account.password) throw new NotVerified('the password has no letters');
      // Of a password of letters only, redaction would show this much.
      if (password !== '' && valid.account.password.startsWith(password))
        context.secrets.add('SITEPUB_INVENTED_PASSWORD', password);
      await requirePasswordRefused(context, valid, { password, what, isRemarked });
    },
  })),
  {
    id: 'login-3-password-of-another-user',
    isFurther: true,
    requirement: 'LOGIN-3',
    needs: [...needs, 'other-user', 'disruptive'],
    run: async (context) => {
      const valid = await validLogin(context);
      const passwords = [context.options.account?.password, context.options.other?.password];
      const password = passwords.find((one) => one !== undefined && one !== valid.account.password);
      if (password === undefined) throw new NotVerified('the users have the same password');
      await requirePasswordRefused(context, valid, { password, what: 'the password of another user' });
    },
  },
  ...loginFields,
];

/** The token of the run's login or, where somebody has ended that session, of a new one. */
async function useLoginToken(context: Context): Promise<void> {
  const use = async () => useToken(context, await sessionToken(context), 'the token of a login');
  const used = await settle(use);
  if (!(used.error instanceof PromiseBroken)) return used.value();
  await startNewSession(context);
  await use();
}

/** A user with a session may log in once more without Authorization: a login needs no authentication. */
async function logInAgain(context: Context): Promise<void> {
  const { token } = await mainSession(context);
  const account = { ...context.options.account };
  await takeLogins(context, 'main', 1);
  const plain = await sendLogin(context, account);
  if (succeeded(plain)) return;
  requireNotLimited(context, plain, 'a second login');
  await takeLogins(context, 'main', 1);
  const passed = await sendLogin(context, account, { token });
  if (succeeded(passed)) throw onlyWithHeader(context, plain, () => sessionToken(context));
  throw new NotVerified(`a user with a session cannot log in again (${describeAnswer(plain)})`);
}

/** Logins are few, so it is looked at once more only. */
function onlyWithHeader(context: Context, plain: Exchange, tokenOf: () => Promise<string>): WronglyRefused {
  const send = async (options: { token?: string }) => {
    await context.budget.takeNecessary(budgetKey(context, 'main'));
    return sendLogin(context, { ...context.options.account }, options);
  };
  return new WronglyRefused(
    'a login without an Authorization header to succeed',
    plain,
    { again: () => send({}), plain: async () => send({ token: await tokenOf() }), looks: 1 },
    `${describeAnswer(plain)}, while a login with the header succeeds`,
  );
}

async function requirePasswordRefused(
  context: Context,
  { account, tenant }: ValidLogin,
  { password, what, isRemarked }: { password: string; what: string; isRemarked?: boolean | undefined },
): Promise<void> {
  await takeLogins(context, tenant, 1);
  const exchange = await sendLogin(context, { ...account, password });
  if (isRemarked && succeeded(exchange)) {
    context.remarks.add('lenient-password', `a login with ${what} is accepted`);
    throw new NotApplicable(
      `a login with ${what} is accepted, which may be intended; see the remark lenient-password`,
    );
  }
  expectRefusal(context, exchange, { what: `a login with ${what}`, kind: 'bad-credentials' });
  expectNoToken(context, exchange);
}

function expectNoToken(context: Context, exchange: Exchange): void {
  const pointer = context.profile.values['login.token'];
  const token = getAt(exchange.response.json, pointer);
  if (typeof token !== 'string' || token === '') return;
  context.secrets.add('SITEPUB_TOKEN', token);
  throw new PromiseBroken(`no token at ${pointer} of a refused login`, describeAnswer(exchange), exchange);
}
