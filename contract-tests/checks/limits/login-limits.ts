import { budgetKey, inventToken, type TenantLabel, takeLogins } from '../../calls/user-session.ts';
import { unmetWait } from '../../calls/wait-budget.ts';
import type { Check, Need } from '../../check.ts';
import { type Context, once } from '../../context.ts';
import { perMinute, windowMs } from '../../core/documented-limits.ts';
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { settle } from '../../core/settled.ts';
import type { Account } from '../../core/suite-options.ts';
import { loginOf, loginsOf, measureLogins } from './limited-calls.ts';
import { checksOf, requireTen } from './limits.ts';
import { type Limited, type Measure, measureLimit, waitQuiet, whileUsedUp } from './measure-limit.ts';

const needs: readonly Need[] = ['account', 'disruptive'];

/** Logins. After these checks no user of the tenant can log in for a minute. */
export const loginLimits: readonly Check[] = [
  ...checksOf({
    lets: 'LIMIT-1',
    refuses: 'LIMIT-2',
    name: 'logins',
    needs,
    measure: (context) => once(context, measureLogins),
    callsOf: (context) => loginsOf(context),
  }),
  // Right after the checks of the burst: waits of other checks would let the minute end.
  {
    id: 'limit-4-over-after-a-minute',
    requirement: 'LIMIT-4',
    needs: [...needs, 'wait:1m'],
    run: (context) => once(context, requireEnd),
  },
  {
    id: 'limit-3-shared-by-users',
    requirement: 'LIMIT-3',
    needs: [...needs, 'second-user'],
    run: async (context) => {
      await once(context, measureLogins);
      const second = await loginWhileUsedUp(context, context.options.second, 'main');
      if (!succeeded(second)) return;
      // Where the window has just ended, the first user can log in too.
      const first = await loginOf(context, context.options.account, 'main');
      if (succeeded(first)) throw new NotVerified('the minute of the limit ended during the check');
      throw new PromiseBroken(
        'the limit to be that of the tenant, and a second user of it to be refused too',
        `${describeAnswer(second)}, while the first user is refused`,
        second,
      );
    },
  },
  {
    id: 'limit-3-not-of-another-tenant',
    requirement: 'LIMIT-3',
    needs: [...needs, 'other-user'],
    run: async (context) => {
      await once(context, measureLogins);
      // The other tenant's logins are limited too: waits until one more is allowed.
      await takeLogins(context, 'other', 0);
      const before = await logInOther(context);
      if (!succeeded(before))
        throw new NotVerified(`the other tenant's user was refused before (${describeAnswer(before)})`);
      const after = await loginWhileUsedUp(context, context.options.other, 'other');
      if (!succeeded(after))
        throw new PromiseBroken(
          'a login of another tenant to be let through while this one is at its limit',
          describeAnswer(after),
          after,
        );
    },
  },
  {
    id: 'limit-1-ten-logins-after-a-refusal',
    isFurther: true,
    requirement: 'LIMIT-1',
    needs: [...needs, 'wait:1m'],
    run: async (context) => requireTen(await once(context, measureLoginsAgain), 'logins'),
  },
  {
    id: 'limit-3-logins-of-users-add-up',
    isFurther: true,
    requirement: 'LIMIT-3',
    needs: [...needs, 'second-user', 'wait:1m'],
    run: async (context) => {
      await requireLimit(context);
      requireMoreRefused(await once(context, measureLoginsAgain), 'of two users of the tenant in turn');
    },
  },
  {
    id: 'limit-2-logins-around-a-wrong-password',
    isFurther: true,
    requirement: 'LIMIT-2',
    needs: [...needs, 'wait:5m'],
    run: async (context) => {
      await requireLimit(context);
      const logins = withWrongPassword(context, loginsOf(context));
      await waitQuiet(context, logins);
      const found = await measureLimit(context, logins);
      requireMoreRefused(found, 'also where one with a wrong password was among them');
    },
  },
];

async function requireLimit(context: Context): Promise<void> {
  const { refusesMore } = await once(context, measureLogins);
  if (!refusesMore) throw new NotVerified('no login is refused for its rate; see limit-2-more-logins');
}

function requireMoreRefused({ refusesMore, text, refusal }: Measure, which: string): void {
  if (refusesMore) return;
  throw new PromiseBroken(`a refusal of more than ${perMinute} logins a minute, ${which}`, text, refusal);
}

/** Logins of which the sixth of each burst follows one with a wrong password, which may count or not. */
function withWrongPassword(context: Context, logins: Limited): Limited {
  let letThrough = 0;
  return {
    ...logins,
    send: async () => {
      const { account } = context.options;
      if (letThrough === 5)
        await loginOf(context, account && { ...account, password: inventToken(account.password) }, 'main');
      const exchange = await logins.send();
      letThrough = succeeded(exchange) ? letThrough + 1 : 0;
      return exchange;
    },
  };
}

/** Measures the limit a second time, after a quiet minute, with logins of the tenant's users in turn. */
async function measureLoginsAgain(context: Context): Promise<Measure> {
  const { error } = await settle(() => once(context, requireEnd));
  if (error) throw new NotVerified('the limit was not seen to end; see LIMIT-4');
  const { account, second } = context.options;
  const logins = loginsOf(context, second ? [account, second] : [account]);
  await waitQuiet(context, logins);
  return measureLimit(context, logins);
}

async function requireEnd(context: Context): Promise<void> {
  const { refusal, startedAt } = await once(context, measureLogins);
  if (!refusal) throw new NotVerified('no login was refused for its rate; see LIMIT-2');
  // Refused logins may count or not: the minute begins with the first login that was let through.
  await context.clock.waitUntil(startedAt + windowMs, 'the minute of the login limit to be over');
  if (succeeded(await loginOf(context, context.options.account, 'main'))) return;
  // Others may have used the minute up: tries again after a quiet minute.
  await loginAfterMinute(context);
  await loginWhileUsedUp(context, context.options.account, 'main');
  const last = await loginAfterMinute(context);
  if (!succeeded(last))
    throw new PromiseBroken('a login to be let through again a minute later', describeAnswer(last), last);
}

/** Tries again a minute later: earlier checks have used up a limit that all tenants share. */
async function logInOther(context: Context): Promise<Exchange> {
  const before = await loginOf(context, context.options.other, 'other');
  if (succeeded(before) || unmetWait('1m', context) !== undefined) return before;
  await waitForMinute(context);
  return loginOf(context, context.options.other, 'other');
}

/** A user's login while the main user is refused for the rate. */
async function loginWhileUsedUp(
  context: Context,
  account: Account | undefined,
  tenant: TenantLabel,
): Promise<Exchange> {
  const { exchange } = await whileUsedUp(loginsOf(context), () => loginOf(context, account, tenant));
  return exchange;
}

async function waitForMinute(context: Context): Promise<void> {
  const last = context.budget.recent(budgetKey(context, 'main')).at(-1) ?? context.clock.now();
  await context.clock.waitUntil(last + windowMs, 'the minute of the login limit to be over');
}

async function loginAfterMinute(context: Context): Promise<Exchange> {
  await waitForMinute(context);
  return loginOf(context, context.options.account, 'main');
}
