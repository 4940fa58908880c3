import { call } from '../../calls/call.ts';
import { inventToken, takeLogins, useRenewedToken } from '../../calls/user-session.ts';
import type { Check, Need } from '../../check.ts';
import { type Context, once } from '../../context.ts';
import { perMinute } from '../../core/documented-limits.ts';
import { areAlike, succeeded } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { settle } from '../../core/settled.ts';
import { isOver, requireLimited, sendBurst } from './burst.ts';
import { requireLimitAtOnce } from './calls-at-once.ts';
import { longestMs } from './limit-scopes.ts';
import { callsOf, type Limited, loginOf, loginsOf } from './limited-calls.ts';
import { requireEnd } from './login-end.ts';
import { type Measure, measureLimit, waitQuiet } from './measure-limit.ts';
import { beginLimit, limitOf, planLimit } from './measured-limits.ts';
import { requireFree, requireShared } from './shared-limits.ts';

const needs: readonly Need[] = ['account', 'disruptive'];
const isLong = { longestMs, prepare: (context: Context) => planLimit(context, 'login') };

/** Whose logins are refused while the limit is used up. */
export const loginScopes: readonly Check[] = [
  {
    ...isLong,
    id: 'limit-3-shared-by-users',
    requirement: 'LIMIT-3',
    needs: [...needs, 'second-user'],
    run: async (context) => {
      const first = await beginLimit(context, 'login');
      const send = () => loginOf(context, context.options.second, 'main');
      const what = 'a login of a second user';
      await requireShared(context, { calls: callsOf(context, 'login'), first, what, send });
    },
  },
  {
    ...isLong,
    id: 'limit-3-not-of-another-tenant',
    requirement: 'LIMIT-3',
    needs: [...needs, 'other-user'],
    run: async (context) => {
      const first = await beginLimit(context, 'login');
      // The other tenant's logins are limited too: waits until one more is allowed.
      await takeLogins(context, 'other', 0);
      const send = () => loginOf(context, context.options.other, 'other');
      const what = 'a login of another tenant';
      await requireFree(context, { calls: callsOf(context, 'login'), first, what, send });
    },
  },
];

export const loginEnd: Check = {
  id: 'limit-4-over-after-a-minute',
  requirement: 'LIMIT-4',
  needs: [...needs, 'wait:1m'],
  longestMs,
  run: (context) => once(context, requireEnd),
};

export const loginsAtOnce: Check = {
  id: 'limit-2-logins-at-once',
  isFurther: true,
  requirement: 'LIMIT-2',
  needs: [...needs, 'wait:1m'],
  longestMs,
  run: async (context) => {
    try {
      await requireLimitAtOnce(context, callsOf(context, 'login'), await limitOf(context, 'login'));
    } finally {
      await useLastingSession(context);
    }
  },
};

/** Of the sessions of a user that were opened at the same time only one may last, and not that of the last answer. */
async function useLastingSession(context: Context): Promise<void> {
  if (!context.operations.has('listSites')) return;
  const username = context.options.account?.username;
  const tokens = context.exchanges
    .filter(({ operation, request }) => operation === 'login' && request.body?.includes(`${username}`))
    .map(({ values }) => values.token)
    .filter((token) => typeof token === 'string')
    .slice(-2 * perMinute);
  for (const token of tokens.toReversed()) {
    useRenewedToken(context, token);
    if (succeeded(await call(context, 'listSites', { token }))) return;
  }
}

/** Logins after another quiet minute. */
export const loginsAgain: readonly Check[] = [
  {
    id: 'limit-1-ten-logins-after-a-refusal',
    isFurther: true,
    requirement: 'LIMIT-1',
    needs: [...needs, 'wait:1m'],
    longestMs,
    run: async (context) => {
      const { letsTenThrough, text, reason, refusal } = await measureAfterRefusal(context);
      if (letsTenThrough === undefined) throw new NotVerified(reason);
      if (!letsTenThrough)
        throw new PromiseBroken(`${perMinute} logins a minute, even after one was refused`, text, refusal);
    },
  },
  {
    id: 'limit-3-logins-of-users-add-up',
    isFurther: true,
    requirement: 'LIMIT-3',
    needs: [...needs, 'second-user', 'wait:1m'],
    longestMs,
    run: async (context) => {
      const { isPaced } = await requireLimit(context);
      if (isPaced) return requireFewInTurn(context);
      requireMoreRefused(
        await once(context, measureLoginsAgain),
        'even if two users of the tenant take turns',
      );
    },
  },
  {
    id: 'limit-2-logins-around-a-wrong-password',
    isFurther: true,
    requirement: 'LIMIT-2',
    needs: [...needs, 'wait:5m'],
    longestMs,
    run: async (context) => {
      const { refusal } = await requireLimit(context);
      const logins = withWrongPassword(context, loginsOf(context));
      await waitQuiet(context, logins);
      const found = await measureLimit(context, logins);
      requireMoreRefused(found, 'even if one of them had a wrong password');
      if (refusal && found.refusal && !areAlike(refusal, found.refusal))
        throw new NotVerified(
          'after a wrong password, logins are refused for another reason than their rate',
        );
    },
  },
];

async function requireLimit(context: Context): Promise<Measure> {
  const found = await limitOf(context, 'login');
  if (!found.refusesMore) throw new NotVerified('no login is refused for its rate; see limit-2-more-logins');
  return found;
}

function requireMoreRefused({ refusesMore, text, refusal, reason }: Measure, which: string): void {
  if (refusesMore === undefined) throw new NotVerified(reason);
  if (refusesMore) return;
  throw new PromiseBroken(`a refusal of more than ${perMinute} logins a minute, ${which}`, text, refusal);
}

/** A limit that lets one call through after the other was measured after a refusal. */
async function measureAfterRefusal(context: Context): Promise<Measure> {
  const found = await limitOf(context, 'login');
  return found.isPaced ? found : once(context, measureLoginsAgain);
}

/** Measures the limit a second time, after a quiet minute, with logins of the tenant's users in turn. */
async function measureLoginsAgain(context: Context): Promise<Measure> {
  const { error } = await settle(() => once(context, requireEnd));
  if (error) throw new NotVerified('the run did not see the limit end; see LIMIT-4');
  const logins = inTurn(context);
  await waitQuiet(context, logins);
  return measureLimit(context, logins);
}

/** A limit that lets fewer than ten through at once lets no more through where users take turns. */
async function requireFewInTurn(context: Context): Promise<void> {
  const logins = inTurn(context);
  await waitQuiet(context, logins);
  const burst = await sendBurst(context, logins);
  requireLimited(context, logins, burst);
  if (isOver(burst) || !burst.refusal)
    throw new PromiseBroken(
      `a refusal of more than ${perMinute} logins a minute, even if two users of the tenant take turns`,
      `${burst.accepted} succeeded`,
      burst.last,
    );
}

function inTurn(context: Context): Limited {
  const { account, second } = context.options;
  return loginsOf(context, second ? [account, second] : [account]);
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
