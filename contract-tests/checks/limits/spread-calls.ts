// Ten calls spread over a minute: a limit may let one call through every six seconds, and not ten at once.
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

/** What comes next at a time. */
interface Due {
  at: number;
  what: string;
  /** Returns what comes after it; undefined where nothing does. */
  run(): Promise<Due | undefined>;
}

/** Something else that is due meanwhile. */
export interface Meanwhile {
  at: number;
  what: string;
  run(): Promise<unknown>;
}

/**
 * Goes on after bursts with one call every six seconds of each kind, all kinds at the same time, until ten were let through or one was
 * refused. Returns for each whether that is how its limit counts.
 */
export async function spreadAfterBursts(
  context: Context,
  kinds: readonly FewCalls[],
  meanwhile: readonly Meanwhile[] = [],
): Promise<readonly boolean[]> {
  const taken = kinds.map(() => false);
  let due: readonly Due[] = [
    ...kinds.flatMap((kind, index) =>
      kind.burst.accepted === 0 ? [] : [stepsOf(context, kind, () => (taken[index] = true))],
    ),
    ...meanwhile.map((one) => ({ ...one, run: async () => void (await one.run()) })),
  ];
  while (due.length > 0) {
    const [next, ...others] = due.toSorted((one, other) => one.at - other.at);
    if (!next) break;
    await context.clock.waitUntil(next.at, next.what);
    const after = await next.run();
    due = after ? [...others, after] : others;
  }
  return taken;
}

/** One call every six seconds. */
function stepsOf({ clock }: Context, { limited, burst }: FewCalls, onTaken: () => void): Due {
  const { what, send } = limited;
  const stepAt = (at: number, taken: number): Due => ({
    at,
    what: `ten ${what} spread over a minute`,
    run: async () => {
      const next = stepAt(clock.now() + stepMs, taken + 1);
      if (!succeeded(await send())) return undefined;
      // Where a window has just ended, another one is let through at once.
      if (taken === burst.accepted && succeeded(await send())) return undefined;
      if (taken + 1 < perMinute) return next;
      onTaken();
      return undefined;
    },
  });
  return stepAt(clock.now() + stepMs, burst.accepted);
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
  await clock.waitUntil(end + windowMs, `the limit of ${limited.what} to end`);
  const startedAt = clock.now();
  for (let taken = 0; taken < perMinute; taken++) {
    const what = `ten ${limited.what} spread over a minute`;
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
    await clock.pass(lookMs, `the limit of ${what} to end`);
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
