// Measures how many calls of a kind a deployment lets through in a minute.

import { isRateLimited } from '../../calls/expect-answer.ts';
import type { Context } from '../../context.ts';
import { minuteMs, perMinute, windowMs } from '../../core/documented-limits.ts';
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified } from '../../core/outcomes.ts';

/** Two windows in a row let twice the limit through, whatever their kind; one call more is too many for any kind. */
export const tooManyForAny = 2 * perMinute + 1;
/** Each burst begins this much later in the minute than the one before. */
const shiftMs = 20_000;

/** A burst of calls, until two in a row were refused or too many were let through for any kind of window. */
interface Burst {
  accepted: number;
  refusal: Exchange | undefined;
  /** Calls of the kind in the minute before. */
  before: number;
  startedAt: number;
}

export interface Limited {
  /** Sends one more call. */
  send(): Promise<Exchange>;
  /** When the last call was sent, in milliseconds since 1970; undefined where there was none. */
  lastAt(): number | undefined;
  /** How many calls of the last minute may count. */
  used(): number;
  what: string;
}

/** The result of measuring a limit. */
export interface Measure {
  letsTenThrough: boolean | undefined;
  refusesMore: boolean | undefined;
  refusal: Exchange | undefined;
  text: string;
  /** When the last burst began, in milliseconds since 1970, and whether it let ten through after a quiet minute. */
  startedAt: number;
  isPlain: boolean;
}

/**
 * Measures a limit. Fixed, sliding and clock-aligned windows are all allowed: a window that ends in the middle of a burst lets more
 * through, so too many or too few must be seen twice, at different moments of the minute. Where there is no time to wait for that,
 * only what no kind of window allows leads to a verdict.
 */
export async function measureLimit(context: Context, limited: Limited): Promise<Measure> {
  const isQuiet = limited.used() === 0 || !canWait(context);
  const first = await (isQuiet ? burst(context, limited) : afterQuiet(context, limited, 0));
  if (isPlain(first)) return verdict([first], limited);
  if (!canWait(context)) return cautiousVerdict(first, limited);
  const bursts = [first];
  // A window ends in one of three bursts at most, so two of them show the limit.
  while (bursts.length < 3 && !isSettled(bursts)) bursts.push(await afterQuiet(context, limited, shiftMs));
  return verdict(bursts, limited);
}

function isSettled(bursts: readonly Burst[]): boolean {
  const [last, ...others] = bursts.toReversed();
  return (
    last !== undefined &&
    (isPlain(last) || others.some((other) => compareWithTen(other) === compareWithTen(last)))
  );
}

/** Whether fewer than ten calls were let through (-1), ten (0), or more (1). */
function compareWithTen({ accepted }: Burst): number {
  return Math.sign(accepted - perMinute);
}

function isPlain({ accepted, refusal, before }: Burst): boolean {
  return before === 0 && refusal !== undefined && accepted === perMinute;
}

export function canWait({ clock, options }: Context): boolean {
  return clock.isMoved || options.maxWaitMs >= windowMs;
}

async function afterQuiet(context: Context, limited: Limited, shift: number): Promise<Burst> {
  await waitQuiet(context, limited, shift);
  return burst(context, limited);
}

/** Waits until no call that was sent before can count. */
export async function waitQuiet(context: Context, limited: Limited, shift = 0): Promise<void> {
  const lastAt = limited.lastAt() ?? 0;
  await context.clock.waitUntil(lastAt + windowMs + shift, `the limit of ${limited.what} to be over`);
}

async function burst(context: Context, limited: Limited): Promise<Burst> {
  const startedAt = context.clock.now();
  const before = limited.used();
  let accepted = 0;
  let refusal: Exchange | undefined;
  while (accepted < tooManyForAny) {
    const exchange = await sendUnlessBusy(context, limited);
    if (succeeded(exchange)) accepted++;
    // One refusal among many accepted calls is no limit.
    if (!succeeded(exchange) && refusal) return { accepted, refusal, before, startedAt };
    refusal = succeeded(exchange) ? undefined : exchange;
  }
  if (context.clock.now() - startedAt > minuteMs)
    throw new NotVerified(`${tooManyForAny} calls took more than a minute, so their limit can't be seen`);
  return { accepted, refusal: undefined, before, startedAt };
}

/** Sends the call again where it was refused for another reason, such as a publish that is still under way. */
async function sendUnlessBusy(context: Context, limited: Limited): Promise<Exchange> {
  const exchange = await limited.send();
  if (succeeded(exchange) || isRateLimited(context, exchange)) return exchange;
  await context.clock.pass(2_000, `a refused call of ${limited.what} to be possible`);
  return limited.send();
}

function verdict(bursts: readonly Burst[], { what }: Limited): Measure {
  const last = bursts.at(-1);
  const decisive =
    bursts.find(
      (burst) => bursts.filter((other) => compareWithTen(other) === compareWithTen(burst)).length > 1,
    ) ?? last;
  const counts = bursts.map(({ accepted }) => accepted);
  const refused = bursts.find(({ refusal }) => refusal)?.refusal;
  // A limit lets some calls through: where all were refused, the reason is another one.
  if (refused && counts.every((accepted) => accepted === 0))
    throw new NotVerified(
      `none of the ${what} was let through (${describeAnswer(refused)}); is the call as the profile says?`,
    );
  return {
    letsTenThrough: decisive && compareWithTen(decisive) >= 0,
    refusesMore: decisive !== undefined && compareWithTen(decisive) <= 0,
    refusal: bursts.findLast(({ refusal }) => refusal)?.refusal,
    text: `${counts.join(' and then ')} ${what} were let through in a burst after a quiet minute`,
    startedAt: last?.startedAt ?? 0,
    isPlain: last !== undefined && isPlain(last),
  };
}

/** A call that was sent while a limit was used up. */
interface CallWhileUsedUp {
  exchange: Exchange;
  /** The refusal of the limited call before it. */
  refusal: Exchange;
}

/** Sends another call while a limit is used up. */
export async function whileUsedUp(limited: Limited, send: () => Promise<Exchange>): Promise<CallWhileUsedUp> {
  for (let count = 0; count < tooManyForAny; count++) {
    const refusal = await limited.send();
    if (succeeded(refusal)) continue;
    return { refusal, exchange: await send() };
  }
  throw new NotVerified(`none of the ${limited.what} is refused for its rate`);
}

/** Without a quiet minute before, other calls may count too, or a window may have ended meanwhile. */
function cautiousVerdict({ accepted, refusal, before, startedAt }: Burst, { what }: Limited): Measure {
  return {
    startedAt,
    isPlain: false,
    letsTenThrough: before + accepted >= perMinute ? true : undefined,
    refusesMore: refusal !== undefined,
    refusal,
    text: `${accepted} ${what} were let through in a burst`,
  };
}
