import { observeRefusal } from '../../calls/expect-answer.ts';
import type { Check, Need } from '../../check.ts';
import { once } from '../../context.ts';
import { perMinute } from '../../core/documented-limits.ts';
import { describeAnswer } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { settle } from '../../core/settled.ts';
import { requireLimitAtOnce } from './calls-at-once.ts';
import { callBeside, limitBeside, limitScopes, longestMs, scopedKinds } from './limit-scopes.ts';
import { callsOf, type LimitedId } from './limited-calls.ts';
import { loginEnd, loginScopes, loginsAgain, loginsAtOnce } from './login-limits.ts';
import type { Measure } from './measure-limit.ts';
import { earlyCallOf, limitOf, planLimit, requireLimit } from './measured-limits.ts';

interface LimitKind {
  id: LimitedId;
  lets: string;
  refuses: string;
  name: string;
  needs: readonly Need[];
}

const publishes: LimitKind = {
  ...scopedKinds.publishSite,
  id: 'publishSite',
  needs: ['account', 'disruptive', 'site', 'creates', 'operation:publish-site'],
};
const aiCalls: LimitKind = {
  ...scopedKinds.askAi,
  id: 'askAi',
  needs: ['account', 'disruptive', 'site', 'operation:ai'],
};
const logins: LimitKind = {
  id: 'login',
  lets: 'LIMIT-1',
  refuses: 'LIMIT-2',
  name: 'logins',
  needs: ['account', 'disruptive'],
};
const kinds = [aiCalls, publishes, logins];

/**
 * Ten calls a minute are let through, and more are refused until the minute is over. In the order of time: bursts, and what is refused or
 * not while a limit is used up; half a minute later; a minute later. So all limits pass the same minute. From the first burst on, no user
 * of the tenant can log in for a minute.
 */
export const limits: readonly Check[] = [
  ...limitScopes('askAi'),
  ...limitScopes('publishSite'),
  limitBeside('askAi'),
  ...loginScopes,
  ...kinds.flatMap((kind) => [tenOf(kind), moreOf(kind)]),
  ...kinds.map(wholeMinuteOf),
  loginEnd,
  loginsAtOnce,
  atOnceOf(aiCalls),
];

/** What needs another quiet minute; other checks run meanwhile. */
export const limitsAgain: readonly Check[] = [
  ...loginsAgain,
  atOnceOf(publishes),
  limitBeside('publishSite'),
];

function tenOf({ id, lets, name, needs }: LimitKind): Check {
  return {
    id: `${lets.toLowerCase()}-ten-${name}`,
    requirement: lets,
    needs,
    longestMs,
    prepare: (context) => planLimit(context, id),
    run: async (context) => requireTen(await limitOf(context, id), name),
  };
}

function moreOf({ id, refuses, name, needs }: LimitKind): Check {
  return {
    id: `${refuses.toLowerCase()}-more-${name}`,
    requirement: refuses,
    needs,
    longestMs,
    prepare: (context) => planLimit(context, id),
    run: async (context) => {
      const { refusesMore, refusal, text, reason } = await limitOf(context, id);
      if (refusesMore === undefined) throw new NotVerified(reason);
      if (!refusesMore)
        throw new PromiseBroken(`a refusal of more than ${perMinute} ${name} a minute`, text, refusal);
      if (refusal) observeRefusal(context, refusal, 'rate-limited');
    },
  };
}

function wholeMinuteOf({ id, refuses, name, needs }: LimitKind): Check {
  return {
    id: `${refuses.toLowerCase()}-${name}-for-a-whole-minute`,
    isFurther: true,
    requirement: refuses,
    needs: [...needs, 'wait:1m'],
    longestMs,
    run: async (context) => {
      const early = await earlyCallOf(context, id);
      if (early)
        throw new PromiseBroken(
          `at most ${perMinute} ${name} at once, and one every six seconds in the minute after`,
          `further ones succeeded half a minute after the first of ${perMinute}: ${describeAnswer(early)}`,
          early,
        );
    },
  };
}

function atOnceOf({ id, refuses, name, needs }: LimitKind): Check {
  return {
    id: `${refuses.toLowerCase()}-${name}-at-once`,
    isFurther: true,
    requirement: refuses,
    needs: [...needs, 'wait:1m'],
    longestMs,
    run: async (context) => {
      const found = await requireLimit(context, id);
      if (id === 'publishSite') await settle(() => once(context, callBeside, 'askAi'));
      await requireLimitAtOnce(context, callsOf(context, id), found);
    },
  };
}

/** Throws PromiseBroken where fewer than ten are let through. */
function requireTen({ letsTenThrough, refusal, text, reason }: Measure, name: string): void {
  if (letsTenThrough === undefined) throw new NotVerified(reason);
  if (!letsTenThrough) throw new PromiseBroken(`${perMinute} ${name} a minute`, text, refusal);
}
