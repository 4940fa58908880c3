import type { OperationId } from '../../openapi/operations.ts';
import type { Check, Need } from '../check.ts';
import { type Context, once } from '../context.ts';
import { describeAnswer, type Exchange, succeeded } from '../exchange.ts';
import { observeRefusal } from '../expect.ts';
import { type Limited, type Measure, measureLimit, perMinute, windowMs } from '../limits.ts';
import { unmetWait } from '../needs.ts';
import type { Account } from '../options.ts';
import { NotVerified, PromiseBroken } from '../outcomes.ts';
import { callOwn, canVary, gapOf, uniqueText } from '../own-calls.ts';
import { budgetKey, noteLogin, sendLogin, type TenantLabel, takeLogins } from '../session.ts';

const needs: readonly Need[] = ['account', 'disruptive'];

interface LimitCheck {
  lets: string;
  refuses: string;
  name: string;
  needs: readonly Need[];
  measure(context: Context): Promise<Measure>;
}

const calls: readonly LimitCheck[] = [
  {
    lets: 'LIMIT-5',
    refuses: 'LIMIT-6',
    name: 'publishes',
    needs: [...needs, 'site', 'creates', 'operation:publish-site'],
    measure: (context) => measured(context, 'publishSite'),
  },
  {
    lets: 'LIMIT-7',
    refuses: 'LIMIT-8',
    name: 'ai-calls',
    needs: [...needs, 'site', 'operation:ai'],
    measure: (context) => measured(context, 'askAi'),
  },
];

/** What may be done ten times a minute. */
export const limits: readonly Check[] = calls.flatMap(checksOf);

/** Logins: after these checks, nobody of the tenant can log in for a minute. */
export const loginLimits: readonly Check[] = [
  ...checksOf({ lets: 'LIMIT-1', refuses: 'LIMIT-2', name: 'logins', needs, measure: measuredLogins }),
  {
    id: 'limit-3-shared-by-users',
    requirement: 'LIMIT-3',
    needs: [...needs, 'second-user'],
    run: async (context) => {
      const second = await afterBurst(context, context.options.second, 'main');
      if (!succeeded(second)) return;
      // A window may have ended just now: then the first user is let in too.
      const first = await loginOf(context, context.options.account, 'main');
      if (succeeded(first)) throw new NotVerified('the minute of the limit ended while it was looked at');
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
      await measuredLogins(context);
      await waitForWindow(context, 'other');
      // Their twin: they are let in right before the burst.
      const before = await twinOfOther(context);
      if (!succeeded(before))
        throw new NotVerified(`the other tenant's user was refused before (${describeAnswer(before)})`);
      const after = await afterBurst(context, context.options.other, 'other');
      if (!succeeded(after))
        throw new PromiseBroken(
          'a login of another tenant to be let through while this one is at its limit',
          describeAnswer(after),
          after,
        );
    },
  },
  {
    id: 'limit-4-over-after-a-minute',
    requirement: 'LIMIT-4',
    needs: [...needs, 'wait:1m'],
    run: async (context) => {
      const { refusal } = await measuredLogins(context);
      if (!refusal) throw new NotVerified('no login was refused for its rate; see LIMIT-2');
      if (succeeded(await loginAfterMinute(context))) return;
      // Somebody else may have used the minute up: all is done once more, after a quiet minute.
      await loginAfterMinute(context);
      await afterBurst(context, context.options.account, 'main');
      const last = await loginAfterMinute(context);
      if (!succeeded(last))
        throw new PromiseBroken('a login to be let through again a minute later', describeAnswer(last), last);
    },
  },
];

/** A limit that all tenants share has been used up by the checks before, so that a refusal is looked at again a minute later. */
async function twinOfOther(context: Context): Promise<Exchange> {
  const before = await loginOf(context, context.options.other, 'other');
  if (succeeded(before) || unmetWait('1m', context) !== undefined) return before;
  await waitForMinute(context);
  return loginOf(context, context.options.other, 'other');
}

function checksOf({ lets, refuses, name, needs: own, measure }: LimitCheck): Check[] {
  return [
    {
      id: `${lets.toLowerCase()}-ten-${name}`,
      requirement: lets,
      needs: own,
      run: async (context: Context) => {
        const { letsTenThrough, refusal, text } = await measure(context);
        if (letsTenThrough === undefined)
          throw new NotVerified(
            `fewer than ${perMinute} were let through, but others may have used up some; run with --max-wait 81s`,
          );
        if (!letsTenThrough) throw new PromiseBroken(`${perMinute} ${name} a minute`, text, refusal);
      },
    },
    {
      id: `${refuses.toLowerCase()}-more-${name}`,
      requirement: refuses,
      needs: own,
      run: async (context: Context) => {
        const { refusesMore, refusal, text } = await measure(context);
        if (!refusesMore)
          throw new PromiseBroken(`a refusal of more than ${perMinute} ${name} a minute`, text, refusal);
        if (refusal) observeRefusal(context, refusal, 'rate-limited');
      },
    },
  ];
}

/** The limit of an operation that the profile knows. */
function measured(context: Context, id: OperationId): Promise<Measure> {
  return once(context, `limit of ${id}`, () => measureLimit(context, callsOf(context, id)));
}

function callsOf(context: Context, id: OperationId): Limited {
  const isPublish = id === 'publishSite';
  const name = isPublish ? 'note' : 'prompt';
  const isKeyed = context.profile.values['idempotency.repetition'] === 'key-header';
  if (isPublish && !isKeyed && !canVary(context, id, name))
    throw new NotVerified(
      `publishes can't be told from repeats of one another; put "{${name}}" into the body of ${gapOf(context, id)}`,
    );
  const kin: readonly OperationId[] = isPublish ? ['publishSite', 'failPublish'] : [id];
  const times = () =>
    context.exchanges.filter(({ operation }) => kin.includes(operation)).map(({ at }) => at);
  return {
    what: isPublish ? 'publishes' : 'AI calls',
    send: () => callOwn(context, id, { values: { [name]: uniqueText(context, name) } }),
    lastAt: () => times().at(-1),
    used: () => times().filter((time) => time > context.clock.now() - windowMs).length,
  };
}

function measuredLogins(context: Context): Promise<Measure> {
  return once(context, 'limit of logins', () => measureLimit(context, loginsOf(context)));
}

function loginsOf(context: Context): Limited {
  const key = budgetKey(context, 'main');
  return {
    what: 'logins',
    send: () => loginOf(context, context.options.account, 'main'),
    lastAt: () => context.budget.recent(key).at(-1),
    used: () => context.budget.recent(key).length,
  };
}

function loginOf(context: Context, account: Account | undefined, tenant: TenantLabel): Promise<Exchange> {
  if (!account) throw new NotVerified('there are no credentials');
  noteLogin(context, tenant);
  return sendLogin(context, account);
}

/** A login of somebody while the main user is refused for the rate. */
async function afterBurst(
  context: Context,
  account: Account | undefined,
  tenant: TenantLabel,
): Promise<Exchange> {
  for (let count = 0; count <= 2 * perMinute; count++) {
    const exchange = await loginOf(context, context.options.account, 'main');
    if (!succeeded(exchange)) return loginOf(context, account, tenant);
  }
  throw new NotVerified('no login is refused for its rate; see LIMIT-2');
}

/** Others' logins are few as well: they are made where their own minute allows. */
async function waitForWindow(context: Context, tenant: TenantLabel): Promise<void> {
  await takeLogins(context, tenant, 0);
}

async function waitForMinute(context: Context): Promise<void> {
  const last = context.budget.recent(budgetKey(context, 'main')).at(-1) ?? context.clock.now();
  await context.clock.waitUntil(last + windowMs, 'the minute of the login limit to be over');
}

async function loginAfterMinute(context: Context): Promise<Exchange> {
  await waitForMinute(context);
  return loginOf(context, context.options.account, 'main');
}
