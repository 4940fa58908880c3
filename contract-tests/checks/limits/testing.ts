// Deployments that count calls in different ways, on a clock that the tests move.
import { exchangeOf } from '../../testing.ts';

export const kinds = ['fixed', 'sliding', 'aligned'] as const;
type Kind =
  | (typeof kinds)[number]
  | 'token-bucket'
  | 'token-bucket of five'
  | 'paced'
  | 'five in half a minute'
  | 'one at a time'
  | 'locked'
  | 'replayed';

export interface Deployment {
  kind: Kind;
  perMinute: number;
  /** At which second of a minute the first call comes. */
  second: number;
  /** Seconds that each call takes. */
  pace?: number;
  /** Whether a refusal makes it forget all calls before. */
  isForgetful?: boolean;
  /** How many calls were made just before. */
  before?: number;
  maxWaitMs?: number;
  /** How many calls of any kind are let through in a minute, or in a second. */
  quota?: number;
  perSecond?: boolean;
  /** Somebody else calls every so many seconds. */
  others?: number;
  /** How long a window lasts; a minute unless stated. */
  spanMs?: number;
  /** How many calls a bucket holds; those of a minute unless stated. */
  size?: number;
}

/** Answers calls by the time at which they come. */
export function createLimit(deployment: Deployment, counted: number[]) {
  const { kind, perMinute, isForgetful = false, quota, perSecond = false, others } = deployment;
  const { spanMs = 60_000, size = perMinute } = deployment;
  const all: number[] = [];
  let lockedUntil = 0;
  let nextOther = Date.parse('2026-01-02T03:00:00Z');
  const isFree = isFreeAs[kind] ?? (() => true);
  const take = (now: number) => {
    const taken = now >= lockedUntil && isFree({ counted, now, perMinute, spanMs, size });
    if (taken) counted.push(now);
    else if (isForgetful) counted.length = 0;
    if (!taken && kind === 'locked' && now >= lockedUntil) lockedUntil = now + 120_000;
    return taken;
  };
  return (now: number, isPlain: boolean) => {
    for (; others !== undefined && nextOther <= now; nextOther += others * 1000) take(nextOther);
    if (quota !== undefined) {
      const span = perSecond ? 1_000 : 60_000;
      if (all.filter((time) => time > now - span).length >= quota) return answer(42_901);
      all.push(now);
    }
    if (isPlain || take(now)) return answer(0, kind === 'replayed' && !isPlain ? 'the-first' : undefined);
    return kind === 'one at a time' ? answer(40_900, undefined, 409) : answer(42_900);
  };
}

function answer(code: number, trace_id?: string, status = code === 0 ? 200 : 429) {
  return exchangeOf({ code, ...(trace_id !== undefined && { trace_id }) }, { status });
}

interface Counted {
  counted: readonly number[];
  now: number;
  perMinute: number;
  spanMs: number;
  size: number;
}

const isSlidingFree = ({ counted, now, perMinute, spanMs }: Counted) =>
  counted.filter((time) => time > now - spanMs).length < perMinute;

const isFreeAs: Readonly<Record<Kind, (call: Counted) => boolean>> = {
  sliding: isSlidingFree,
  locked: isSlidingFree,
  aligned: ({ counted, now, perMinute, spanMs }) =>
    counted.filter((time) => Math.floor(time / spanMs) === Math.floor(now / spanMs)).length < perMinute,
  fixed: ({ counted, now, perMinute, spanMs }) =>
    counted.filter((time) => time >= windowStart(counted, now, spanMs)).length < perMinute,
  'token-bucket': (call) => tokensOf(call, call.size) >= 1,
  'token-bucket of five': (call) => tokensOf(call, 5) >= 1,
  paced: ({ counted, now, perMinute }) => now >= (counted.at(-1) ?? 0) + 60_000 / perMinute,
  'five in half a minute': ({ counted, now }) => counted.filter((time) => time > now - 30_000).length < 5,
  'one at a time': ({ counted, now }) => now >= (counted.at(-1) ?? 0) + 5_000,
  replayed: () => true,
};

/** How many tokens a bucket has. */
function tokensOf({ counted, now, perMinute }: Counted, size: number): number {
  let tokens = size;
  let last = counted[0] ?? now;
  const refill = (time: number) => Math.min(size, tokens + ((time - last) * perMinute) / 60_000);
  for (const time of counted) {
    tokens = refill(time) - 1;
    last = time;
  }
  return refill(now);
}

/** A fixed window begins with the first call after the end of the one before. */
function windowStart(counted: readonly number[], now: number, spanMs: number): number {
  let start = Number.NEGATIVE_INFINITY;
  for (const time of counted) if (time >= start + spanMs) start = time;
  return now >= start + spanMs ? now : start;
}
