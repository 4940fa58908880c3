// Measures how many calls of a kind a deployment lets through in a minute.
import type { Context } from '../../context.ts';
import { pastIdempotencyWindowMs, perMinute, windowMs } from '../../core/documented-limits.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified } from '../../core/outcomes.ts';
import { type Burst, isOver, requireLimited, sendBurst, tooManyForAny } from './burst.ts';
import { isAgreed, isFew, isPlain, isSettled } from './compare-bursts.ts';
import type { Limited } from './limited-calls.ts';
import { sendSpread, spreadAfterBursts } from './spread-calls.ts';

/** Each burst begins this much later in the minute than the one before. */
const shiftMs = 20_000;
/** A window ends in one burst of four at most, and others use up some calls in another. */
const mostBursts = 4;

/** The result of measuring a limit. */
export interface Measure {
  letsTenThrough: boolean | undefined;
  refusesMore: boolean | undefined;
  /** A refusal of the limit. */
  refusal: Exchange | undefined;
  text: string;
  /** Why one of the two is not known. */
  reason: string;
  /** When the last burst began, in milliseconds since 1970, how many calls it let through, and whether it was as it should be after a quiet minute. */
  startedAt: number;
  accepted: number;
  isPlain: boolean;
  /** Whether fewer than ten calls are let through at once, and ten when they are spread over the minute. */
  isPaced: boolean;
}

/** What was done already, by a run that measures several limits at the same time. */
interface Begun {
  first: Burst;
  /** Whether the calls are let through one after the other where the first burst let too few through. */
  isSpreadTaken(): Promise<boolean>;
}

/**
 * Measures a limit. Windows that are fixed, sliding or aligned to the clock are all allowed, and so are a bucket that gets one call back
 * every six seconds, and one call every six seconds. A window that ends in the middle of a burst lets more through, and others may use up
 * some of the calls; so too many or too few must be seen twice, at different moments of the minute. Where there is no time to wait for
 * that, only what no kind of limit allows leads to a verdict.
 */
export async function measureLimit(context: Context, limited: Limited, begun?: Begun): Promise<Measure> {
  const first = begun?.first ?? (await firstBurst(context, limited));
  if (isPlain(first)) return verdict([first], limited);
  if (!canWait(context)) return cautiousVerdict(context, limited, first);
  if (isFew(first) && first.hidden === undefined && first.accepted > 0) {
    const [alone] = begun ? [] : await spreadAfterBursts(context, [{ limited, burst: first }]);
    if (alone ?? (await begun?.isSpreadTaken())) return pacedVerdict(first, limited);
  }
  const bursts = [first];
  // None at all is no limit; a second look tells a lock from calls of others.
  if (first.accepted > 0 || first.hidden !== undefined) requireLimited(context, limited, first);
  while (bursts.length < mostBursts && !isSettled(bursts)) {
    await waitQuiet(context, limited, shiftMs);
    const burst = await sendBurst(context, limited);
    requireLimited(context, limited, burst);
    bursts.push(burst);
  }
  const few = bursts.findLast(isFew);
  return few && isAgreed(bursts, isFew)
    ? fewVerdict(context, limited, { bursts, few })
    : settledVerdict(context, limited, bursts);
}

/** A burst after a quiet minute, where there is time to wait for one. */
export async function firstBurst(context: Context, limited: Limited): Promise<Burst> {
  if (limited.recent().length > 0 && canWait(context)) await waitQuiet(context, limited);
  return sendBurst(context, limited);
}

export function canWait({ clock, options }: Context): boolean {
  return clock.isMoved || options.maxWaitMs >= windowMs;
}

/** Waits until no call that was sent before can count. */
export async function waitQuiet(context: Context, limited: Limited, shift = 0): Promise<void> {
  const lastAt = limited.lastAt() ?? 0;
  await context.clock.waitUntil(lastAt + windowMs + shift, `the limit of ${limited.what} to end`);
}

async function settledVerdict(
  context: Context,
  limited: Limited,
  bursts: readonly Burst[],
): Promise<Measure> {
  const found = verdict(bursts, limited);
  const last = bursts.at(-1);
  if (!isSettled(bursts))
    return {
      ...found,
      letsTenThrough: bursts.every(isFew) ? undefined : found.letsTenThrough,
      refusesMore: undefined,
      reason: `${found.text}; another client may also use up the limit`,
    };
  if (found.refusesMore === false && last) await requireNoReplays(context, limited, last);
  return found;
}

/** Where all answers have one token, logins may be repeats: throws NotVerified where a later one has another token. */
async function requireNoReplays(context: Context, limited: Limited, { last }: Burst): Promise<void> {
  if (last?.values.token === undefined) return;
  const again = await limited.send();
  if (!succeeded(again) || again.values.token !== last.values.token) return;
  await context.clock.pass(pastIdempotencyWindowMs, 'an answer that is not a repeat');
  const later = await limited.send();
  if (succeeded(later) && later.values.token !== last.values.token)
    throw new NotVerified(`identical ${limited.what} return the first result for a while`);
}

function verdict(bursts: readonly Burst[], { what }: Limited): Measure {
  const last = bursts.at(-1);
  const isTooMany = isAgreed(bursts, isOver);
  const isRefused = last?.refusal !== undefined && !isOver(last);
  return {
    letsTenThrough: isTooMany || bursts.some((burst) => !isFew(burst)),
    refusesMore: isTooMany ? false : isRefused || undefined,
    refusal: bursts.findLast(({ refusal }) => refusal)?.refusal,
    text: textOf(bursts, what),
    reason: `the calls took too long to see a limit of ${what}`,
    startedAt: last?.startedAt ?? 0,
    accepted: last?.accepted ?? 0,
    isPlain: last !== undefined && isPlain(last),
    isPaced: false,
  };
}

function textOf(bursts: readonly Burst[], what: string): string {
  const counts = bursts.map(({ accepted }) => accepted);
  return `${counts.join(' and then ')} ${what} succeeded in a burst after a quiet minute`;
}

/** Too few at once are lawful where ten are let through that are spread over the minute. */
async function fewVerdict(
  context: Context,
  limited: Limited,
  { bursts, few }: { bursts: readonly Burst[]; few: Burst },
): Promise<Measure> {
  const { what } = limited;
  const found = { ...verdict(bursts, limited), refusesMore: true };
  const spread = await sendSpread(context, limited, few);
  const text = `${found.text}, and ${spread ?? 'not all'} of ten spread over a minute`;
  if (spread === perMinute) return { ...found, text, letsTenThrough: true, isPaced: true };
  const isSure = spread === few.accepted;
  const reason = `${text}; another client may use up some of the ${what}`;
  return { ...found, text, reason, letsTenThrough: isSure ? false : undefined };
}

function pacedVerdict(first: Burst, { what }: Limited): Measure {
  return {
    letsTenThrough: true,
    refusesMore: first.otherReason === undefined ? true : undefined,
    refusal: first.otherReason === undefined ? first.refusal : undefined,
    text: `${first.accepted} ${what} succeeded at once, and ten when spread over a minute`,
    reason: first.otherReason ?? '',
    startedAt: first.startedAt,
    accepted: first.accepted,
    isPlain: false,
    isPaced: true,
  };
}

/** Without a quiet minute before, other calls may count too, or a window may have ended meanwhile. */
function cautiousVerdict(context: Context, limited: Limited, burst: Burst): Measure {
  requireLimited(context, limited, burst);
  const { accepted, refusal, before, startedAt } = burst;
  const isTooMany = accepted >= tooManyForAny;
  return {
    startedAt,
    accepted,
    isPlain: false,
    isPaced: false,
    letsTenThrough: before + accepted >= perMinute ? true : undefined,
    refusesMore: isTooMany ? false : refusal !== undefined || undefined,
    refusal,
    text: `${accepted} ${limited.what} succeeded in a burst`,
    reason: `${accepted} ${limited.what} succeeded in a burst, and others may have used up some; run with --max-wait 81s`,
  };
}
