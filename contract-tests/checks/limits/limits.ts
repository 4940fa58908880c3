import { observeRefusal } from '../../calls/expect-answer.ts';
import type { Check, Need } from '../../check.ts';
import { type Context, once } from '../../context.ts';
import { perMinute } from '../../core/documented-limits.ts';
import { describeAnswer } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { limitBeside, limitScopes, scopedKinds } from './limit-scopes.ts';
import { callTooEarly } from './limit-span.ts';
import { callsOf, type LimitedId, measureOperation } from './limited-calls.ts';
import type { Limited, Measure } from './measure-limit.ts';

interface LimitCheck {
  lets: string;
  refuses: string;
  name: string;
  needs: readonly Need[];
  measure(context: Context): Promise<Measure>;
  callsOf(context: Context): Limited;
}

const limited: readonly LimitedId[] = ['publishSite', 'askAi'];
const needsOf: Readonly<Record<LimitedId, readonly Need[]>> = {
  publishSite: ['account', 'disruptive', 'site', 'creates', 'operation:publish-site'],
  askAi: ['account', 'disruptive', 'site', 'operation:ai'],
};

/** Operations that are limited to ten calls a minute. */
export const limits: readonly Check[] = limited.flatMap((id) => [
  ...checksOf({
    ...scopedKinds[id],
    needs: needsOf[id],
    measure: (context) => once(context, measureOperation, id),
    callsOf: (context) => callsOf(context, id),
  }),
  ...limitScopes(id),
  limitBeside(id),
]);

/** Ten calls a minute are let through, and more are refused until the minute is over. */
export function checksOf({ lets, refuses, name, needs: own, measure, callsOf }: LimitCheck): Check[] {
  return [
    {
      id: `${lets.toLowerCase()}-ten-${name}`,
      requirement: lets,
      needs: own,
      run: async (context) => requireTen(await measure(context), name),
    },
    {
      id: `${refuses.toLowerCase()}-more-${name}`,
      requirement: refuses,
      needs: own,
      run: async (context) => {
        const { refusesMore, refusal, text } = await measure(context);
        if (!refusesMore)
          throw new PromiseBroken(`a refusal of more than ${perMinute} ${name} a minute`, text, refusal);
        if (refusal) observeRefusal(context, refusal, 'rate-limited');
      },
    },
    {
      id: `${refuses.toLowerCase()}-${name}-for-a-whole-minute`,
      isFurther: true,
      requirement: refuses,
      needs: [...own, 'wait:1m'],
      run: async (context) => {
        const found = await measure(context);
        if (!found.refusesMore || !found.refusal) throw new NotVerified('none was refused for its rate');
        const early = await callTooEarly(context, callsOf(context), found);
        if (early)
          throw new PromiseBroken(
            `more than ${perMinute} ${name} to be refused for a whole minute`,
            `one was let through half a minute after the first of ${perMinute}: ${describeAnswer(early)}`,
            early,
          );
      },
    },
  ];
}

/** Throws PromiseBroken where fewer than ten are let through. */
export function requireTen({ letsTenThrough, refusal, text }: Measure, name: string): void {
  if (letsTenThrough === undefined)
    throw new NotVerified(
      `fewer than ${perMinute} were let through, but others may have used up some; run with --max-wait 81s`,
    );
  if (!letsTenThrough) throw new PromiseBroken(`${perMinute} ${name} a minute`, text, refusal);
}
