// Whether the window of a limit lasts a minute, or only about half of it.
import type { Context } from '../../context.ts';
import { minuteMs } from '../../core/documented-limits.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified } from '../../core/outcomes.ts';
import { type Limited, type Measure, tooManyForAny, waitQuiet } from './measure-limit.ts';

/** A call at this time after the first is refused by every window of a minute that has not ended meanwhile. */
const trialMs = 31_500;
/** Each trial begins this much later in the minute than the one before. */
const shiftMs = 20_000;
const toleranceMs = 1_000;

/**
 * Returns the answer to a call that was let through too early; undefined where none was. Clock-aligned windows are allowed, so three
 * trials of half a minute are needed that have no moment of the minute in common: no window of a minute ends in all of them.
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

/** Whether the moment of the trial is still to come. */
function isFresh({ clock }: Context, { startedAt, isPlain }: Measure): boolean {
  return isPlain && clock.now() < startedAt + trialMs - toleranceMs;
}

/** Uses a limit up after a quiet minute, at the same moment of the minute as a given time. Returns when it began. */
async function useUp(context: Context, limited: Limited, sameMoment?: number): Promise<number> {
  await waitQuiet(context, limited);
  const { clock } = context;
  const ahead = sameMoment === undefined ? 0 : modulo(sameMoment - clock.now(), minuteMs);
  if (ahead > 0) await clock.pass(ahead, 'another moment of the minute');
  const startedAt = clock.now();
  for (let count = 0; count < tooManyForAny; count++) if (!succeeded(await limited.send())) return startedAt;
  throw new NotVerified(`none of the ${limited.what} is refused for its rate`);
}

async function tryHalfway({ clock }: Context, limited: Limited, startedAt: number): Promise<Exchange> {
  await clock.waitUntil(startedAt + trialMs, `half of the minute of the limit of ${limited.what}`);
  if (clock.now() > startedAt + trialMs + toleranceMs)
    throw new NotVerified('the calls took too long to see when they were let through again');
  return limited.send();
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
