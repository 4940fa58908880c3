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
import { combineWraps, type Fault, type Wrap, withinCall, withMemory } from './fault.ts';
import { goOnWith } from './results.ts';
import { wrapHandler } from './wrap-calls.ts';

/** Faults in the limits of section 8. */
export const limitFaults: readonly Fault[] = [
  {
    id: 'tenth-login-refused',
    title: 'Nine logins a minute are let through.',
    requirement: 'LIMIT-1',
    wrap: changeLimitRule('logins', { most: 9 }),
  },
  {
    id: 'ninth-login-refused',
    title: 'Eight logins a minute are let through.',
    requirement: 'LIMIT-1',
    wrap: changeLimitRule('logins', { most: 8 }),
  },
  {
    id: 'login-counts-twice-after-a-refusal',
    title: 'Once a tenant was refused for its rate, its logins count twice.',
    requirement: 'LIMIT-1',
    wrap: withMemory((memory, wasRejected = memory.value('rejected', false)) =>
      wrapLimit('logins', (_call, draw) => {
        try {
          return wasRejected.get() ? drawTwice(draw) : draw();
        } catch (error) {
          wasRejected.set(true);
          throw error;
        }
      }),
    ),
  },
  {
    id: 'eleventh-login-taken',
    title: 'Eleven logins a minute are let through.',
    requirement: 'LIMIT-2',
    wrap: changeLimitRule('logins', { most: 11 }),
  },
  {
    id: 'right-logins-not-limited',
    title: 'Logins with the right password do not count.',
    requirement: 'LIMIT-2',
    wrap: ignoreLimit('logins', ({ world, input }) => world.users.has(String(input.username))),
  },
  {
    id: 'wrong-password-clears-login-count',
    title: "A login with a wrong password takes all of the tenant's logins out of the count.",
    requirement: 'LIMIT-2',
    wrap: wrapLimit('logins', (call, draw) => {
      draw();
      return () => void call.world.limits.delete(keyOf(call, 'logins'));
    }),
  },
  {
    id: 'every-eleventh-login-refused',
    title: 'Of more than ten logins a minute only every eleventh is refused.',
    requirement: 'LIMIT-2',
    wrap: clearCountOnRejection('logins'),
  },
  {
    id: 'ten-logins-in-half-a-minute',
    title: 'Ten logins are let through every half minute.',
    requirement: 'LIMIT-2',
    wrap: changeLimitRule('logins', { extraMs: -30_000 }),
  },
  {
    id: 'logins-at-once-not-limited',
    title:
      'Logins that come at the same time are let through, since each looks at the count before another is counted.',
    requirement: 'LIMIT-2',
    wrap: countLate('logins'),
  },
  {
    id: 'logins-let-through-every-two-seconds',
    title: 'After ten logins one more is let through every two seconds.',
    requirement: 'LIMIT-2',
    wrap: withMemory((memory, buckets = memory.map<Bucket>('buckets')) =>
      wrapLimit('logins', (call) => {
        const key = keyOf(call, 'logins');
        const { at, tokens } = buckets.get(key) ?? { at: call.now, tokens: perMinute };
        const now = Math.min(perMinute, tokens + (call.now - at) / 2_000);
        if (now < 1) throw rateLimited('10 logins at once for this tenant', call.now + 2_000, call.now);
        buckets.set(key, { at: call.now, tokens: now - 1 });
        return () => {};
      }),
    ),
  },
  {
    id: 'second-user-has-own-login-limit',
    title: 'The login limit is that of the user.',
    requirement: 'LIMIT-3',
    wrap: changeLimitRule('logins', { holderOf: ({ input }) => String(input.username) }),
  },
  {
    id: 'login-limit-shared-by-tenants',
    title: 'The login limit is shared by all tenants.',
    requirement: 'LIMIT-3',
    wrap: changeLimitRule('logins', {
      holderOf: (call) => (tenantOfCall(call) === undefined ? undefined : 'all'),
    }),
  },
  {
    id: 'logins-of-later-users-not-counted',
    title: "Only logins of a tenant's first user count, although the limit applies to all of its users.",
    requirement: 'LIMIT-3',
    wrap: wrapLimit('logins', (call, draw) => {
      const { limits } = call.world;
      const before = limits.get(keyOf(call, 'logins')) ?? [];
      const takeBack = draw();
      if (!isLaterUser(call.world, String(call.input.username))) return takeBack;
      limits.set(keyOf(call, 'logins'), before);
      return () => {};
    }),
  },
  {
    id: 'login-limit-for-two-minutes',
    title: 'The login limit lasts two minutes.',
    requirement: 'LIMIT-4',
    remark: 'locked-longer',
    wrap: changeLimitRule('logins', { extraMs: 60_000 }),
  },
  {
    id: 'login-limit-a-quarter-too-long',
    title: 'The login limit lasts 75 seconds.',
    requirement: 'LIMIT-4',
    wrap: changeLimitRule('logins', { extraMs: 15_000 }),
  },
  {
    id: 'tenth-publish-refused',
    title: 'Nine publishes a minute are let through.',
    requirement: 'LIMIT-5',
    wrap: changeLimitRule('publishes', { most: 9 }),
  },
  {
    id: 'publish-counts-twice',
    title: 'Each publish counts twice.',
    requirement: 'LIMIT-5',
    wrap: countCallsTwice('publishes'),
  },
  {
    id: 'publish-limit-shared-by-tenants',
    title: 'The publish limit is shared by all tenants.',
    requirement: 'LIMIT-5',
    wrap: changeLimitRule('publishes', { holderOf: () => 'all' }),
  },
  {
    id: 'ai-calls-count-as-publishes',
    title: 'An AI call counts as a publish too.',
    requirement: 'LIMIT-5',
    wrap: countCallsAlsoAs('AI calls', 'publishes'),
  },
  {
    id: 'eleventh-publish-taken',
    title: 'Eleven publishes a minute are let through.',
    requirement: 'LIMIT-6',
    wrap: changeLimitRule('publishes', { most: 11 }),
  },
  {
    id: 'publish-limit-of-failures-only',
    title: 'Only publishes that fail are limited.',
    requirement: 'LIMIT-6',
    wrap: ignoreLimit('publishes', ({ operation }) => operation.id === 'publishSite'),
  },
  {
    id: 'publish-limit-of-each-site',
    title: 'The publish limit is that of the site.',
    requirement: 'LIMIT-6',
    wrap: changeLimitRule('publishes', { holderOf: ({ input }) => `site ${input.siteID}` }),
  },
  {
    id: 'publish-limit-of-each-user',
    title: 'The publish limit is that of the user.',
    requirement: 'LIMIT-6',
    wrap: changeLimitRule('publishes', { holderOf: userOrTenant }),
  },
  {
    id: 'publish-limit-of-sessions-alone',
    title: 'Publishes with an API key are not limited.',
    requirement: 'LIMIT-6',
    wrap: ignoreLimit('publishes', isByKey),
  },
  {
    id: 'every-eleventh-publish-refused',
    title: 'Of more than ten publishes a minute only every eleventh is refused.',
    requirement: 'LIMIT-6',
    wrap: clearCountOnRejection('publishes'),
  },
  {
    id: 'ten-publishes-in-half-a-minute',
    title: 'Ten publishes are let through every half minute.',
    requirement: 'LIMIT-6',
    wrap: changeLimitRule('publishes', { extraMs: -30_000 }),
  },
  {
    id: 'publishes-at-once-not-limited',
    title:
      'Publishes that come at the same time are let through, since each looks at the count before another is counted.',
    requirement: 'LIMIT-6',
    wrap: countLate('publishes'),
  },
  {
    id: 'tenth-ai-call-refused',
    title: 'Nine AI calls a minute are let through.',
    requirement: 'LIMIT-7',
    wrap: changeLimitRule('AI calls', { most: 9 }),
  },
  {
    id: 'ai-call-counts-twice',
    title: 'Each AI call counts twice.',
    requirement: 'LIMIT-7',
    wrap: countCallsTwice('AI calls'),
  },
  {
    id: 'ai-limit-shared-by-tenants',
    title: 'The AI limit is shared by all tenants.',
    requirement: 'LIMIT-7',
    wrap: changeLimitRule('AI calls', { holderOf: () => 'all' }),
  },
  {
    id: 'publishes-count-as-ai-calls',
    title: 'A publish counts as an AI call too.',
    requirement: 'LIMIT-7',
    wrap: countCallsAlsoAs('publishes', 'AI calls'),
  },
  {
    id: 'eleventh-ai-call-taken',
    title: 'Eleven AI calls a minute are let through.',
    requirement: 'LIMIT-8',
    wrap: changeLimitRule('AI calls', { most: 11 }),
  },
  {
    id: 'ai-calls-by-session-not-limited',
    title: 'AI calls are limited for API keys only.',
    requirement: 'LIMIT-8',
    wrap: ignoreLimit('AI calls', ({ caller }) => caller?.session !== undefined),
  },
  {
    id: 'ai-limit-of-each-site',
    title: 'The AI limit is that of the site.',
    requirement: 'LIMIT-8',
    wrap: changeLimitRule('AI calls', { holderOf: ({ input }) => `site ${input.siteID}` }),
  },
  {
    id: 'ai-limit-of-each-user',
    title: 'The AI limit is that of the user.',
    requirement: 'LIMIT-8',
    wrap: changeLimitRule('AI calls', { holderOf: userOrTenant }),
  },
  {
    id: 'ai-limit-of-sessions-alone',
    title: 'AI calls with an API key are not limited.',
    requirement: 'LIMIT-8',
    wrap: ignoreLimit('AI calls', isByKey),
  },
  {
    id: 'every-eleventh-ai-call-refused',
    title: 'Of more than ten AI calls a minute only every eleventh is refused.',
    requirement: 'LIMIT-8',
    wrap: clearCountOnRejection('AI calls'),
  },
  {
    id: 'ten-ai-calls-in-half-a-minute',
    title: 'Ten AI calls are let through every half minute.',
    requirement: 'LIMIT-8',
    wrap: changeLimitRule('AI calls', { extraMs: -30_000 }),
  },
  {
    id: 'ai-calls-at-once-not-limited',
    title:
      'AI calls that come at the same time are let through, since each looks at the count before another is counted.',
    requirement: 'LIMIT-8',
    wrap: countLate('AI calls'),
  },
];

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
