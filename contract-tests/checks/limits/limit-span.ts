// Whether the window of a limit lasts a minute, or only about half of it.
import type { Context } from '../../context.ts';
import { minuteMs } from '../../core/documented-limits.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified } from '../../core/outcomes.ts';
import type { Settled } from '../../core/settled.ts';
import { mostWithin, requireLimited, sendBurst } from './burst.ts';
import type { Limited } from './limited-calls.ts';
import { type Measure, waitQuiet } from './measure-limit.ts';

/** From this time after the first call, a limit lets one more call through every six seconds at most. */
export const trialMs = 31_500;
/** A trial that begins later would run into the next minute. */
const latestTrialMs = 45_000;
const toleranceMs = 1_000;
/** Each trial begins this much later in the minute than the one before. */
const shiftMs = 20_000;

/** When a limit was used up, and with how many calls. */
type UsedUp = Pick<Measure, 'startedAt' | 'accepted'>;

/**
 * Returns the answer to a call that was let through too early; undefined where none was. Clock-aligned windows are allowed, so three
 * trials of half a minute are needed that have no moment of the minute in common: no window of a minute ends in all of them.
 */
export async function callTooEarly(
  context: Context,
  limited: Limited,
  { measured, first }: { measured: Measure; first?: Settled<Exchange | undefined> | undefined },
): Promise<Exchange | undefined> {
  // One call every six seconds is what such a limit may let through.
  if (measured.isPaced) return undefined;
  let used: UsedUp = first || isFresh(context, measured) ? measured : await useUp(context, limited);
  let early = first ? first.value() : await tryHalfway(context, limited, used);
  for (const _again of [1, 2]) {
    if (!early) return undefined;
    used = await useUp(context, limited, used.startedAt + shiftMs);
    early = await tryHalfway(context, limited, used);
  }
  return early;
}

/** Whether the moment of the trial is still to come. */
function isFresh({ clock }: Context, { startedAt, isPlain }: Measure): boolean {
  return isPlain && clock.now() < startedAt + latestTrialMs - toleranceMs;
}

/** Uses a limit up after a quiet minute, at the same moment of the minute as a given time. */
async function useUp(context: Context, limited: Limited, sameMoment?: number): Promise<UsedUp> {
  await waitQuiet(context, limited);
  const { clock } = context;
  const ahead = sameMoment === undefined ? 0 : modulo(sameMoment - clock.now(), minuteMs);
  if (ahead > 0) await clock.pass(ahead, 'another moment of the minute');
  const burst = await sendBurst(context, limited);
  requireLimited(context, limited, burst);
  if (!burst.refusal)
    throw new NotVerified(`the deployment refuses none of the ${limited.what} for its rate`);
  return burst;
}

/** Sends calls half a minute later until one is refused. Returns the answer to the first one that no limit of ten a minute lets through. */
export async function tryHalfway(
  { clock }: Context,
  limited: Limited,
  { startedAt, accepted }: UsedUp,
): Promise<Exchange | undefined> {
  await clock.waitUntil(startedAt + trialMs, `half a minute of the limit of ${limited.what}`);
  if (clock.now() > startedAt + latestTrialMs) throw tookTooLong();
  for (let total = accepted + 1; clock.now() < startedAt + minuteMs - toleranceMs; total++) {
    const exchange = await limited.send();
    if (!succeeded(exchange)) return undefined;
    if (total > mostWithin(clock.now() - startedAt)) return exchange;
  }
  throw tookTooLong();
}

function tookTooLong(): NotVerified {
  return new NotVerified('the calls took too long to see when they succeed again');
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
