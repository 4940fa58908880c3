import { setTimeout as sleep } from 'node:timers/promises';
import type { OperationId } from '../../openapi/operations.ts';
import { rateLimited } from '../http/api-errors.ts';
import { countsFrom, liveCalls } from '../request/limit-windows.ts';
import {
  countAgainstLimit,
  documentedRule,
  type LimitName,
  type LimitRule,
  limitOf,
  perMinute,
} from '../request/rate-limits.ts';
import { tenantOfCall } from '../request/tenant-of-call.ts';
import type { AnyCall, Values } from '../service.ts';
import { digest } from '../world/digests.ts';
import { isByKey, isLaterUser } from './caller-tools.ts';
import { combineWraps, faultsOf, remarked, type Wrap, withinCall, withMemory } from './fault.ts';
import { goOnWith } from './results.ts';
import { wrapHandler } from './wrap-calls.ts';

/** Faults in the limits of section 8. */
export const limitFaults = faultsOf({
  'LIMIT-1': {
    'tenth-login-refused: Nine logins a minute are let through.': () =>
      changeLimitRule('logins', { most: 9 }),
    'ninth-login-refused: Eight logins a minute are let through.': () =>
      changeLimitRule('logins', { most: 8 }),
    'login-counts-twice-after-a-refusal: Once a tenant was refused for its rate, its logins count twice.': (
      { memory },
      wasRejected = memory.value('rejected', false),
    ) =>
      wrapLimit('logins', (_call, draw) => {
        try {
          return wasRejected.get() ? drawTwice(draw) : draw();
        } catch (error) {
          wasRejected.set(true);
          throw error;
        }
      }),
  },
  'LIMIT-2': {
    'eleventh-login-taken: Eleven logins a minute are let through.': () =>
      changeLimitRule('logins', { most: 11 }),
    'right-logins-not-limited: Logins with the right password do not count.': () =>
      ignoreLimit('logins', ({ world, input }) => world.users.has(String(input.username))),
    "wrong-password-clears-login-count: A login with a wrong password takes all of the tenant's logins out of the count.":
      () =>
        wrapLimit('logins', (call, draw) => {
          draw();
          return () => void call.world.limits.delete(keyOf(call, 'logins'));
        }),
    'every-eleventh-login-refused: Of more than ten logins a minute only every eleventh is refused.': () =>
      clearCountOnRejection('logins'),
    'ten-logins-in-half-a-minute: Ten logins are let through every half minute.': () =>
      changeLimitRule('logins', { extraMs: -30_000 }),
    'logins-at-once-not-limited: Logins that come at the same time are let through, since each looks at the count before another is counted.':
      () => countLate('logins'),
    'logins-let-through-every-two-seconds: After ten logins one more is let through every two seconds.': (
      { memory },
      buckets = memory.map<Bucket>('buckets'),
    ) =>
      wrapLimit('logins', (call) => {
        const key = keyOf(call, 'logins');
        const { at, tokens } = buckets.get(key) ?? { at: call.now, tokens: perMinute };
        const now = Math.min(perMinute, tokens + (call.now - at) / 2_000);
        if (now < 1) throw rateLimited('10 logins at once for this tenant', call.now + 2_000, call.now);
        buckets.set(key, { at: call.now, tokens: now - 1 });
        return () => {};
      }),
  },
  'LIMIT-3': {
    'second-user-has-own-login-limit: The login limit is that of the user.': () =>
      changeLimitRule('logins', { holderOf: ({ input }) => String(input.username) }),
    'login-limit-shared-by-tenants: The login limit is shared by all tenants.': () =>
      changeLimitRule('logins', {
        holderOf: (call) => (tenantOfCall(call) === undefined ? undefined : 'all'),
      }),
    "logins-of-later-users-not-counted: Only logins of a tenant's first user count, although the limit applies to all of its users.":
      () =>
        wrapLimit('logins', (call, draw) => {
          const { limits } = call.world;
          const before = limits.get(keyOf(call, 'logins')) ?? [];
          const takeBack = draw();
          if (!isLaterUser(call.world, String(call.input.username))) return takeBack;
          limits.set(keyOf(call, 'logins'), before);
          return () => {};
        }),
  },
  'LIMIT-4': {
    'login-limit-for-two-minutes: The login limit lasts two minutes.': remarked('locked-longer', () =>
      changeLimitRule('logins', { extraMs: 60_000 }),
    ),
    'login-limit-a-quarter-too-long: The login limit lasts 75 seconds.': () =>
      changeLimitRule('logins', { extraMs: 15_000 }),
  },
  'LIMIT-5': {
    'tenth-publish-refused: Nine publishes a minute are let through.': () =>
      changeLimitRule('publishes', { most: 9 }),
    'publish-counts-twice: Each publish counts twice.': () => countCallsTwice('publishes'),
    'publish-limit-shared-by-tenants: The publish limit is shared by all tenants.': () =>
      changeLimitRule('publishes', { holderOf: () => 'all' }),
    'ai-calls-count-as-publishes: An AI call counts as a publish too.': () =>
      countCallsAlsoAs('AI calls', 'publishes'),
  },
  'LIMIT-6': {
    'eleventh-publish-taken: Eleven publishes a minute are let through.': () =>
      changeLimitRule('publishes', { most: 11 }),
    'publish-limit-of-failures-only: Only publishes that fail are limited.': () =>
      ignoreLimit('publishes', ({ operation }) => operation.id === 'publishSite'),
    'publish-limit-of-each-site: The publish limit is that of the site.': () =>
      changeLimitRule('publishes', { holderOf: ({ input }) => `site ${input.siteID}` }),
    'publish-limit-of-each-user: The publish limit is that of the user.': () =>
      changeLimitRule('publishes', { holderOf: userOrTenant }),
    'publish-limit-of-sessions-alone: Publishes with an API key are not limited.': () =>
      ignoreLimit('publishes', isByKey),
    'every-eleventh-publish-refused: Of more than ten publishes a minute only every eleventh is refused.':
      () => clearCountOnRejection('publishes'),
    'ten-publishes-in-half-a-minute: Ten publishes are let through every half minute.': () =>
      changeLimitRule('publishes', { extraMs: -30_000 }),
    'publishes-at-once-not-limited: Publishes that come at the same time are let through, since each looks at the count before another is counted.':
      () => countLate('publishes'),
  },
  'LIMIT-7': {
    'tenth-ai-call-refused: Nine AI calls a minute are let through.': () =>
      changeLimitRule('AI calls', { most: 9 }),
    'ai-call-counts-twice: Each AI call counts twice.': () => countCallsTwice('AI calls'),
    'ai-limit-shared-by-tenants: The AI limit is shared by all tenants.': () =>
      changeLimitRule('AI calls', { holderOf: () => 'all' }),
    'publishes-count-as-ai-calls: A publish counts as an AI call too.': () =>
      countCallsAlsoAs('publishes', 'AI calls'),
  },
  'LIMIT-8': {
    'eleventh-ai-call-taken: Eleven AI calls a minute are let through.': () =>
      changeLimitRule('AI calls', { most: 11 }),
    'ai-calls-by-session-not-limited: AI calls are limited for API keys only.': () =>
      ignoreLimit('AI calls', ({ caller }) => caller?.session !== undefined),
    'ai-limit-of-each-site: The AI limit is that of the site.': () =>
      changeLimitRule('AI calls', { holderOf: ({ input }) => `site ${input.siteID}` }),
    'ai-limit-of-each-user: The AI limit is that of the user.': () =>
      changeLimitRule('AI calls', { holderOf: userOrTenant }),
    'ai-limit-of-sessions-alone: AI calls with an API key are not limited.': () =>
      ignoreLimit('AI calls', isByKey),
    'every-eleventh-ai-call-refused: Of more than ten AI calls a minute only every eleventh is refused.':
      () => clearCountOnRejection('AI calls'),
    'ten-ai-calls-in-half-a-minute: Ten AI calls are let through every half minute.': () =>
      changeLimitRule('AI calls', { extraMs: -30_000 }),
    'ai-calls-at-once-not-limited: AI calls that come at the same time are let through, since each looks at the count before another is counted.':
      () => countLate('AI calls'),
  },
});

/** Tokens of a bucket, and when they were counted. */
interface Bucket {
  at: number;
  tokens: number;
}

/** How long it takes to write a count, in milliseconds. */
const writingMs = 20;

/** Counts a call, and returns what takes it back; throws if it is rejected. */
type Draw = () => () => void;

/** Counts the calls of one limit, by calling the count inside the wrap or otherwise. */
function wrapLimit(name: LimitName, count: (call: AnyCall, draw: Draw) => () => void): Wrap {
  return (steps) => ({
    countAgainstLimit(call) {
      const draw = () => steps.countAgainstLimit(call);
      return limitOf[call.operation.id] === name ? count(call, draw) : draw();
    },
  });
}

/** Applies another rule than the documented one. */
function changeLimitRule(name: LimitName, rule: Partial<LimitRule>): Wrap {
  return wrapLimit(name, (call) => countAgainstLimit(call, { ...documentedRule, ...rule }));
}

function ignoreLimit(name: LimitName, when: (call: AnyCall) => boolean): Wrap {
  return wrapLimit(name, (call, draw) => (when(call) ? () => {} : draw()));
}

/** Looks at the count when a call comes, and writes it a little later. Calls that are alike get the result of the first of them. */
function countLate(name: LimitName): Wrap {
  const ids = (Object.keys(limitOf) as OperationId[]).filter((id) => limitOf[id] === name);
  return withMemory((memory, results = memory.map<CountedResult>('results')) =>
    withinCall((writes = new WeakMap<AnyCall, () => void>()) =>
      combineWraps(
        wrapLimit(name, (call, draw) => {
          const { world } = call;
          const key = keyOf(call, name);
          const before = world.limits.get(key) ?? [];
          const takeBack = draw();
          const counted = (world.limits.get(key) ?? []).slice(-1);
          world.limits.set(key, before);
          writes.set(call, () => world.limits.set(key, [...(world.limits.get(key) ?? []), ...counted]));
          return takeBack;
        }),
        wrapHandler(ids, async (call, next, change) => {
          const same = digest(JSON.stringify([call.operation.id, call.caller?.tenantId, call.input]));
          const before = results.get(same)?.count ?? 0;
          await sleep(writingMs);
          return change(() => {
            const { count = 0, values = {} } = results.get(same) ?? {};
            if (count > before) return values;
            writes.get(call)?.();
            if (name === 'logins') return next(call);
            return goOnWith(next(call), change, (made) => {
              results.set(same, { count: count + 1, values: made });
              return made;
            });
          });
        }),
      ),
    ),
  );
}

/** The last result of calls that are alike, and how many came before. */
interface CountedResult {
  count: number;
  values: Values;
}

function countCallsTwice(name: LimitName): Wrap {
  return wrapLimit(name, (_call, draw) => drawTwice(draw));
}

function drawTwice(draw: Draw): () => void {
  const takeBacks = [draw(), draw()];
  return () => {
    for (const takeBack of takeBacks) takeBack();
  };
}

function clearCountOnRejection(name: LimitName): Wrap {
  return wrapLimit(name, (call, draw) => {
    try {
      return draw();
    } catch (error) {
      call.world.limits.delete(keyOf(call, name));
      throw error;
    }
  });
}

/** Counts the calls of one limit for another one as well, which does not reject them. */
function countCallsAlsoAs(name: LimitName, other: LimitName): Wrap {
  return wrapLimit(name, (call, draw) => {
    const takeBack = draw();
    const { limits } = call.world;
    const key = keyOf(call, other);
    const kind = call.profile.values['limits.window'];
    const live = liveCalls(limits.get(key) ?? [], call.now);
    limits.set(key, [...live, countsFrom(live, call.now, { ...documentedRule, kind })]);
    return takeBack;
  });
}

/** The key of a tenant's count in the world. */
function keyOf(call: AnyCall, name: LimitName): string {
  return `${name}:${tenantOfCall(call)}`;
}

/** API keys belong to no user. */
function userOrTenant(call: AnyCall): string | number | undefined {
  return call.caller?.session?.username ?? tenantOfCall(call);
}
