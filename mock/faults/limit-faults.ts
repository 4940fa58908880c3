import {
  documentedRule,
  drawOnLimit,
  type LimitName,
  type LimitRule,
  limitOf,
} from '../request/rate-limits.ts';
import { tenantOfCall } from '../request/tenant-of-call.ts';
import type { AnyCall } from '../service.ts';
import { isLaterUser } from './caller-tools.ts';
import type { Fault, Wrap } from './fault.ts';

/** Of the limits of section 8. */
export const limitFaults: readonly Fault[] = [
  {
    id: 'tenth-login-refused',
    title: 'Nine logins a minute are let through.',
    requirement: 'LIMIT-1',
    wrap: ruling('logins', { most: 9 }),
  },
  {
    id: 'ninth-login-refused',
    title: 'Eight logins a minute are let through.',
    requirement: 'LIMIT-1',
    wrap: ruling('logins', { most: 8 }),
  },
  {
    id: 'login-counts-twice-after-a-refusal',
    title: 'Once a tenant was refused for its rate, its logins count twice.',
    requirement: 'LIMIT-1',
    wrap: (steps, aids) => {
      let wasRefused = false;
      const twice = countingTwice('logins')(steps, aids).drawOnLimit ?? steps.drawOnLimit;
      return {
        drawOnLimit(call) {
          if (!isOn(call, 'logins')) return steps.drawOnLimit(call);
          try {
            return wasRefused ? twice(call) : steps.drawOnLimit(call);
          } catch (error) {
            wasRefused = true;
            throw error;
          }
        },
      };
    },
  },
  {
    id: 'eleventh-login-taken',
    title: 'Eleven logins a minute are let through.',
    requirement: 'LIMIT-2',
    wrap: ruling('logins', { most: 11 }),
  },
  {
    id: 'right-logins-not-limited',
    title: 'Logins with the right password do not count.',
    requirement: 'LIMIT-2',
    wrap: (steps) => ({
      drawOnLimit: (call) =>
        call.operation.id === 'login' && call.world.users.has(String(call.input.username))
          ? () => {}
          : steps.drawOnLimit(call),
    }),
  },
  {
    id: 'wrong-password-clears-login-count',
    title: "A login with a wrong password takes all of the tenant's logins out of the count.",
    requirement: 'LIMIT-2',
    wrap: (steps) => ({
      drawOnLimit(call) {
        const takeBack = steps.drawOnLimit(call);
        if (!isOn(call, 'logins')) return takeBack;
        return () => void call.world.limits.delete(`logins:${tenantOfCall(call)}`);
      },
    }),
  },
  {
    id: 'every-eleventh-login-refused',
    title: 'Of more than ten logins a minute every eleventh alone is refused.',
    requirement: 'LIMIT-2',
    wrap: refusingOne('logins'),
  },
  {
    id: 'ten-logins-in-half-a-minute',
    title: 'Ten logins are let through every half minute.',
    requirement: 'LIMIT-2',
    wrap: ruling('logins', { extraMs: -30_000 }),
  },
  {
    id: 'second-user-has-own-login-limit',
    title: 'The login limit is that of the user.',
    requirement: 'LIMIT-3',
    wrap: ruling('logins', { holderOf: ({ input }) => String(input.username) }),
  },
  {
    id: 'login-limit-shared-by-tenants',
    title: 'The login limit is shared by all tenants.',
    requirement: 'LIMIT-3',
    wrap: ruling('logins', { holderOf: (call) => (tenantOfCall(call) === undefined ? undefined : 'all') }),
  },
  {
    id: 'logins-of-later-users-not-counted',
    title:
      'Logins of users but the first of a tenant do not count, though they are refused when its own are too many.',
    requirement: 'LIMIT-3',
    wrap: (steps) => ({
      drawOnLimit(call) {
        const isFree = isOn(call, 'logins') && isLaterUser(call.world, String(call.input.username));
        const { limits } = call.world;
        const key = `logins:${tenantOfCall(call)}`;
        const before = limits.get(key) ?? [];
        const takeBack = steps.drawOnLimit(call);
        if (!isFree) return takeBack;
        limits.set(key, before);
        return () => {};
      },
    }),
  },
  {
    id: 'login-limit-for-two-minutes',
    title: 'The login limit is over two minutes later.',
    requirement: 'LIMIT-4',
    wrap: ruling('logins', { extraMs: 60_000 }),
  },
  {
    id: 'login-limit-a-quarter-too-long',
    title: 'The login limit is over 75 seconds later.',
    requirement: 'LIMIT-4',
    wrap: ruling('logins', { extraMs: 15_000 }),
  },
  {
    id: 'tenth-publish-refused',
    title: 'Nine publishes a minute are let through.',
    requirement: 'LIMIT-5',
    wrap: ruling('publishes', { most: 9 }),
  },
  {
    id: 'publish-counts-twice',
    title: 'Each publish counts twice.',
    requirement: 'LIMIT-5',
    wrap: countingTwice('publishes'),
  },
  {
    id: 'publish-limit-shared-by-tenants',
    title: 'The publish limit is shared by all tenants.',
    requirement: 'LIMIT-5',
    wrap: ruling('publishes', { holderOf: () => 'all' }),
  },
  {
    id: 'ai-calls-count-as-publishes',
    title: 'An AI call counts as a publish too.',
    requirement: 'LIMIT-5',
    wrap: countingAs('AI calls', 'publishes'),
  },
  {
    id: 'eleventh-publish-taken',
    title: 'Eleven publishes a minute are let through.',
    requirement: 'LIMIT-6',
    wrap: ruling('publishes', { most: 11 }),
  },
  {
    id: 'publish-limit-of-failures-only',
    title: 'Only publishes that fail are limited.',
    requirement: 'LIMIT-6',
    wrap: unlimited('publishSite'),
  },
  {
    id: 'publish-limit-of-each-site',
    title: 'The publish limit is that of the site.',
    requirement: 'LIMIT-6',
    wrap: ruling('publishes', { holderOf: ({ input }) => `site ${input.siteID}` }),
  },
  {
    id: 'publish-limit-of-each-user',
    title: 'The publish limit is that of the user.',
    requirement: 'LIMIT-6',
    wrap: ruling('publishes', { holderOf: userOrTenant }),
  },
  {
    id: 'publish-limit-of-sessions-alone',
    title: 'Publishes with an API key are not limited.',
    requirement: 'LIMIT-6',
    wrap: unlimitedForKeys('publishes'),
  },
  {
    id: 'every-eleventh-publish-refused',
    title: 'Of more than ten publishes a minute every eleventh alone is refused.',
    requirement: 'LIMIT-6',
    wrap: refusingOne('publishes'),
  },
  {
    id: 'ten-publishes-in-half-a-minute',
    title: 'Ten publishes are let through every half minute.',
    requirement: 'LIMIT-6',
    wrap: ruling('publishes', { extraMs: -30_000 }),
  },
  {
    id: 'tenth-ai-call-refused',
    title: 'Nine AI calls a minute are let through.',
    requirement: 'LIMIT-7',
    wrap: ruling('AI calls', { most: 9 }),
  },
  {
    id: 'ai-call-counts-twice',
    title: 'Each AI call counts twice.',
    requirement: 'LIMIT-7',
    wrap: countingTwice('AI calls'),
  },
  {
    id: 'ai-limit-shared-by-tenants',
    title: 'The AI limit is shared by all tenants.',
    requirement: 'LIMIT-7',
    wrap: ruling('AI calls', { holderOf: () => 'all' }),
  },
  {
    id: 'publishes-count-as-ai-calls',
    title: 'A publish counts as an AI call too.',
    requirement: 'LIMIT-7',
    wrap: countingAs('publishes', 'AI calls'),
  },
  {
    id: 'eleventh-ai-call-taken',
    title: 'Eleven AI calls a minute are let through.',
    requirement: 'LIMIT-8',
    wrap: ruling('AI calls', { most: 11 }),
  },
  {
    id: 'ai-calls-by-session-not-limited',
    title: 'AI calls are limited for API keys only.',
    requirement: 'LIMIT-8',
    wrap: (steps) => ({
      drawOnLimit: (call) =>
        call.operation.id === 'askAi' && call.caller?.session ? () => {} : steps.drawOnLimit(call),
    }),
  },
  {
    id: 'ai-limit-of-each-site',
    title: 'The AI limit is that of the site.',
    requirement: 'LIMIT-8',
    wrap: ruling('AI calls', { holderOf: ({ input }) => `site ${input.siteID}` }),
  },
  {
    id: 'ai-limit-of-each-user',
    title: 'The AI limit is that of the user.',
    requirement: 'LIMIT-8',
    wrap: ruling('AI calls', { holderOf: userOrTenant }),
  },
  {
    id: 'ai-limit-of-sessions-alone',
    title: 'AI calls with an API key are not limited.',
    requirement: 'LIMIT-8',
    wrap: unlimitedForKeys('AI calls'),
  },
  {
    id: 'every-eleventh-ai-call-refused',
    title: 'Of more than ten AI calls a minute every eleventh alone is refused.',
    requirement: 'LIMIT-8',
    wrap: refusingOne('AI calls'),
  },
  {
    id: 'ten-ai-calls-in-half-a-minute',
    title: 'Ten AI calls are let through every half minute.',
    requirement: 'LIMIT-8',
    wrap: ruling('AI calls', { extraMs: -30_000 }),
  },
];

/** Another rule than the documented one for a limit. */
function ruling(name: LimitName, rule: Partial<LimitRule>): Wrap {
  return (steps) => ({
    drawOnLimit: (call) =>
      isOn(call, name) ? drawOnLimit(call, { ...documentedRule, ...rule }) : steps.drawOnLimit(call),
  });
}

function countingTwice(name: LimitName): Wrap {
  return (steps) => ({
    drawOnLimit(call) {
      const takeBack = steps.drawOnLimit(call);
      if (!isOn(call, name)) return takeBack;
      const takeBoth = [takeBack, steps.drawOnLimit(call)];
      return () => {
        for (const take of takeBoth) take();
      };
    },
  });
}

/** The one that is too many clears the count. */
function refusingOne(name: LimitName): Wrap {
  return (steps) => ({
    drawOnLimit(call) {
      try {
        return steps.drawOnLimit(call);
      } catch (error) {
        if (isOn(call, name)) call.world.limits.delete(`${name}:${tenantOfCall(call)}`);
        throw error;
      }
    },
  });
}

/** What draws on one limit draws on another as well; it is refused for its own alone. */
function countingAs(name: LimitName, other: LimitName): Wrap {
  return (steps) => ({
    drawOnLimit(call) {
      const takeBack = steps.drawOnLimit(call);
      if (!isOn(call, name)) return takeBack;
      const { limits } = call.world;
      const key = `${other}:${tenantOfCall(call)}`;
      limits.set(key, [...(limits.get(key) ?? []), call.now]);
      return takeBack;
    },
  });
}

function unlimitedForKeys(name: LimitName): Wrap {
  return (steps) => ({
    drawOnLimit: (call) => (isOn(call, name) && !call.caller?.session ? () => {} : steps.drawOnLimit(call)),
  });
}

/** API keys are of no user. */
function userOrTenant(call: AnyCall): string | number | undefined {
  return call.caller?.session?.username ?? tenantOfCall(call);
}

function unlimited(id: AnyCall['operation']['id']): Wrap {
  return (steps) => ({
    drawOnLimit: (call) => (call.operation.id === id ? () => {} : steps.drawOnLimit(call)),
  });
}

function isOn({ operation }: AnyCall, name: LimitName): boolean {
  return limitOf[operation.id] === name;
}
