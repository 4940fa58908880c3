// Ten calls that are spread over a minute: a limit may let one call through every six seconds, and not ten at once.
import type { Context } from '../../context.ts';
import { minuteMs, perMinute, windowMs } from '../../core/documented-limits.ts';
import { succeeded } from '../../core/exchange.ts';
import type { Burst } from './burst.ts';
import type { Limited } from './limited-calls.ts';

/** A little more than a tenth of a minute, since calls take unequal times to arrive. */
const stepMs = minuteMs / perMinute + 300;
/** Ten calls at this distance fit into a minute that began three seconds before the first. */
const closeStepMs = minuteMs / perMinute + 200;
/** How often it is tried whether a window has ended. */
const lookMs = 1_500;
/** A window that ends this little before a minute is over may be one of a minute. */
const toleranceMs = 1_000;
/** A call that came too early is sent again after this time. */
const againMs = 400;

/** A kind of calls of which a burst let fewer than ten through. */
interface FewCalls {
  limited: Limited;
  burst: Burst;
}

interface Progress extends FewCalls {
  taken: number;
  nextAt: number;
  isOver: boolean;
}

/**
 * Goes on after bursts with one call every six seconds of each kind, all kinds at the same time, until ten were let through or one was
 * refused. Returns for each whether that is how its limit counts.
 */
export async function spreadAfterBursts(
  context: Context,
  kinds: readonly FewCalls[],
): Promise<readonly boolean[]> {
  const { clock } = context;
  const all = kinds.map<Progress>((kind) => ({
    ...kind,
    taken: kind.burst.accepted,
    nextAt: clock.now() + stepMs,
    isOver: kind.burst.accepted === 0,
  }));
  for (let next = nextOf(all); next; next = nextOf(all)) {
    await clock.waitUntil(next.nextAt, `ten ${next.limited.what} that are spread over a minute`);
    await step(context, next);
  }
  return all.map(({ taken }) => taken >= perMinute);
}

function nextOf(all: readonly Progress[]): Progress | undefined {
  return all.filter(({ isOver }) => !isOver).toSorted((one, other) => one.nextAt - other.nextAt)[0];
}

async function step({ clock }: Context, progress: Progress): Promise<void> {
  const isFirst = progress.taken === progress.burst.accepted;
  progress.nextAt = clock.now() + stepMs;
  progress.isOver = !succeeded(await progress.limited.send());
  if (progress.isOver) return;
  progress.taken++;
  // Where a window has just ended, another one is let through at once.
  if (isFirst && succeeded(await progress.limited.send())) {
    progress.isOver = true;
    progress.taken = 0;
  } else progress.isOver = progress.taken >= perMinute;
}

/**
 * Sends ten calls that are spread over one window, whatever its kind. Returns how many were let through before one was refused; undefined
 * where the limit is not as the last burst showed it, so somebody else uses it too.
 */
export async function sendSpread(
  context: Context,
  limited: Limited,
  burst: Burst,
): Promise<number | undefined> {
  const { clock } = context;
  const end = await endOf(context, limited, burst);
  if (end === undefined) return undefined;
  await clock.waitUntil(end + windowMs, `the limit of ${limited.what} to be over`);
  const startedAt = clock.now();
  for (let taken = 0; taken < perMinute; taken++) {
    const what = `ten ${limited.what} that are spread over a minute`;
    await clock.waitUntil(startedAt + taken * closeStepMs, what);
    if (!(await isTaken(context, limited))) return taken;
  }
  return perMinute;
}

/**
 * When the window of a burst was over, after its last call. Windows that are aligned to the clock end at a moment of the minute that only
 * trying shows. One that ends before a minute is over lets as many calls through as the burst; a place that a call of somebody else leaves
 * lets one through, and then the result is undefined.
 */
async function endOf(
  { clock }: Context,
  { what, send, lastAt }: Limited,
  burst: Burst,
): Promise<number | undefined> {
  const until = clock.now() + windowMs + lookMs;
  let isOver = succeeded(await send());
  while (!isOver && clock.now() < until) {
    await clock.pass(lookMs, `the limit of ${what} to be over`);
    isOver = succeeded(await send());
  }
  const end = lastAt() ?? clock.now();
  if (end >= burst.startedAt + minuteMs - toleranceMs) return end;
  let taken = 1;
  while (taken < burst.accepted && succeeded(await send())) taken++;
  return taken > 1 && taken === burst.accepted ? end : undefined;
}

async function isTaken({ clock }: Context, { what, send }: Limited): Promise<boolean> {
  if (succeeded(await send())) return true;
  await clock.pass(againMs, `another try of one of ten ${what}`);
  return succeeded(await send());
}
