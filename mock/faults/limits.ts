import { documentedRule, drawOnLimit, type LimitName, type LimitRule, limitOf } from '../limits.ts';
import type { AnyCall } from '../operations/call.ts';
import { tenantOfCall } from '../tenant-of-call.ts';
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
    id: 'eleventh-login-taken',
    title: 'Eleven logins a minute are let through.',
    requirement: 'LIMIT-2',
    wrap: ruling('logins', { most: 11 }),
  },
  {
    id: 'right-logins-not-limited',
    title: 'Logins with the right password do not count.',
    requirement: 'LIMIT-2',
    wrap: (parts) => ({
      drawOnLimit: (call) =>
        call.operation.id === 'login' && call.world.users.has(String(call.input.username))
          ? () => {}
          : parts.drawOnLimit(call),
    }),
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
    id: 'eleventh-ai-call-taken',
    title: 'Eleven AI calls a minute are let through.',
    requirement: 'LIMIT-8',
    wrap: ruling('AI calls', { most: 11 }),
  },
  {
    id: 'ai-calls-by-session-not-limited',
    title: 'AI calls are limited for API keys only.',
    requirement: 'LIMIT-8',
    wrap: (parts) => ({
      drawOnLimit: (call) =>
        call.operation.id === 'askAi' && call.caller?.session ? () => {} : parts.drawOnLimit(call),
    }),
  },
];

/** Another rule than the documented one for a limit. */
function ruling(name: LimitName, rule: Partial<LimitRule>): Wrap {
  return (parts) => ({
    drawOnLimit: (call) =>
      isOn(call, name) ? drawOnLimit(call, { ...documentedRule, ...rule }) : parts.drawOnLimit(call),
  });
}

function countingTwice(name: LimitName): Wrap {
  return (parts) => ({
    drawOnLimit(call) {
      const takeBack = parts.drawOnLimit(call);
      if (!isOn(call, name)) return takeBack;
      const takeBoth = [takeBack, parts.drawOnLimit(call)];
      return () => {
        for (const take of takeBoth) take();
      };
    },
  });
}

function unlimited(id: AnyCall['operation']['id']): Wrap {
  return (parts) => ({
    drawOnLimit: (call) => (call.operation.id === id ? () => {} : parts.drawOnLimit(call)),
  });
}

function isOn({ operation }: AnyCall, name: LimitName): boolean {
  return limitOf[operation.id] === name;
}
