// Generated logins: the limit of ten a minute is cleared for them, which only a mock allows.
import { type Arbitrary, constant } from 'fast-check';
import { mainLogin, sendLogin } from '../../calls/user-session.ts';
import type { Context } from '../../context.ts';
import { perMinute } from '../../core/documented-limits.ts';
import type { Exchange } from '../../core/exchange.ts';
import { NotApplicable, NotVerified } from '../../core/outcomes.ts';
import type { Account } from '../../core/suite-options.ts';
import { requireRefusal, requireSuccess } from './case-verdicts.ts';
import { nonStrings, word } from './invalid-values.ts';
import { tryCases } from './try-cases.ts';

interface LoginCase {
  what: string;
  body(account: Account): unknown;
}

/** A login whose members are in the other order is the same login. */
export async function tryOrderOfLogin(context: Context, checkId: string): Promise<void> {
  const reversed = constant({
    what: 'a login with the password before the username to succeed',
    body: ({ username, password }: Account) => ({ password, username }),
  });
  let isAccepted = false;
  await tryLogins(context, checkId, {
    kinds: [reversed],
    most: 1,
    tryOne: async (one, send) => {
      isAccepted = await requireSuccess(context, {
        what: one.what,
        send: () => send(one.body),
        sendCounterpart: () => send((account) => ({ ...account })),
      });
    },
  });
  if (!isAccepted) throw new NotApplicable('no login succeeds any more, in either order');
}

/** Logins without the username or the password. */
export function tryIncompleteLogins(context: Context, checkId: string): Promise<void> {
  const bodies: readonly (readonly [string, LoginCase['body']])[] = [
    ['an empty object', () => ({})],
    ['the object inside a list', ({ username, password }) => [{ username, password }]],
    ['the object inside another object', ({ username, password }) => ({ login: { username, password } })],
    ['a list of the two values', ({ username, password }) => [username, password]],
    ['null', () => null],
  ];
  const kinds = [
    ...bodies.map(([what, body]) => constant({ what: `a login whose body is ${what}`, body })),
    constant({ what: 'a login without username', body: ({ password }: Account) => ({ password }) }),
    word(1, 12).map((username) => ({ what: 'a login without password', body: () => ({ username }) })),
    constant({ what: 'a login without password', body: ({ username }: Account) => ({ username }) }),
  ];
  return tryInvalidLogins(context, checkId, { kinds, areKindsCases: true });
}

/** Logins whose username or password is no string. */
export function tryMistypedLogins(context: Context, checkId: string): Promise<void> {
  const kinds = [...nonStrings('x'), constant(null)].flatMap((kind: Arbitrary<unknown>) =>
    (['password', 'username'] as const).map((name) =>
      kind.map((value) => ({
        what: `a login whose ${name} is ${JSON.stringify(value)}`,
        body: ({ username, password }: Account) => ({ username, password, [name]: value }),
      })),
    ),
  );
  return tryInvalidLogins(context, checkId, { kinds });
}

interface Logins {
  kinds: readonly Arbitrary<LoginCase>[];
  most?: number;
  tryOne(one: LoginCase, send: (body: LoginCase['body']) => Promise<Exchange>): Promise<void>;
}

function tryInvalidLogins(
  context: Context,
  checkId: string,
  { kinds, areKindsCases = false }: { kinds: readonly Arbitrary<LoginCase>[]; areKindsCases?: boolean },
): Promise<void> {
  return tryLogins(context, checkId, {
    kinds,
    ...(areKindsCases && { most: kinds.length }),
    tryOne: async ({ what, body }, send) =>
      requireRefusal(context, await send(body), { what, kind: 'invalid-request' }),
  });
}

/** Ten logins a minute are too few for generated cases: the limit is cleared again and again. */
async function tryLogins(context: Context, checkId: string, { tryOne, ...cases }: Logins): Promise<void> {
  const { control, options } = context;
  await mainLogin(context);
  const { account } = options;
  if (!control || !account) throw new NotVerified('generated logins need --control-url');
  let sent = 0;
  const send = async (body: LoginCase['body']) => {
    if (sent++ % (perMinute - 1) === 0) await control.clearLimits();
    return sendLogin(context, account, { spoil: () => body(account) });
  };
  try {
    await tryCases(context, checkId, { ...cases, tryOne: (one) => tryOne(one, send) });
  } finally {
    await control.clearLimits();
  }
}
