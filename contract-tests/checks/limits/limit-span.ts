// Whether a limit's window lasts a minute, or about half of it.
import type { Context } from '../../context.ts';
import { minuteMs } from '../../core/documented-limits.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified } from '../../core/outcomes.ts';
import { type Limited, type Measure, tooManyForAny, waitQuiet } from './measure-limit.ts';

/** When a call is tried that no window of a minute lets through, unless it has ended meanwhile. */
const trialMs = 31_500;
/** By how much later in the minute each trial begins. */
const shiftMs = 20_000;
const toleranceMs = 1_000;

/**
 * Gives the answer to a call that came too early to be let through, or undefined where there is none. Clock-aligned windows are
 * legal, so it takes three trials of half a minute, which have no moment of the minute in common: no window of a minute ends in all.
 */
export async function callTooEarly(
  context: Context,
  limited: Limited,
  measured: Measure,
): Promise<Exchange | undefined> {
  let startedAt = isFresh(context, measured) ? measured.startedAt : await useUp(context, limited);
  let early = await tryHalfway(context, limited, startedAt);
  for (const _again of [1, 2]) {
    if (!succeeded(early)) return undefined;
    startedAt = await useUp(context, limited, startedAt + shiftMs);
    early = await tryHalfway(context, limited, startedAt);
  }
  return succeeded(early) ? early : undefined;
}

/** Whether there is still time to wait for the trial. */
function isFresh({ clock }: Context, { startedAt, isPlain }: Measure): boolean {
  return isPlain && clock.now() < startedAt + trialMs - toleranceMs;
}

/** Uses a limit up after a quiet minute, at the moment of the minute that a time has. */
async function useUp(context: Context, limited: Limited, likeTime?: number): Promise<number> {
  await waitQuiet(context, limited);
  const { clock } = context;
  const ahead = likeTime === undefined ? 0 : modulo(likeTime - clock.now(), minuteMs);
  if (ahead > 0) await clock.pass(ahead, 'another moment of the minute');
  const startedAt = clock.now();
  for (let count = 0; count < tooManyForAny; count++) if (!succeeded(await limited.send())) return startedAt;
  throw new NotVerified(`none of the ${limited.what} is refused for its rate`);
}

async function tryHalfway({ clock }: Context, limited: Limited, startedAt: number): Promise<Exchange> {
  await clock.waitUntil(startedAt + trialMs, `half of the minute of the limit of ${limited.what}`);
  if (clock.now() > startedAt + trialMs + toleranceMs)
    throw new NotVerified('the calls took too long to tell when they were let through again');
  return limited.send();
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
