import { expect, test } from 'vitest';
import type { Clock } from '../../deployment/deployment-clock.ts';
import { exchangeOf, openContext } from '../../testing.ts';
import { callTooEarly } from './limit-span.ts';
import type { Limited } from './limited-calls.ts';
import { measureLimit } from './measure-limit.ts';

const base = openContext({ maxWaitMs: 90_000 });
const seconds = Array.from({ length: 30 }, (_, index) => 2 * index);
const kinds = ['fixed', 'sliding', 'aligned'] as const;

interface Deployment {
  kind: (typeof kinds)[number] | 'token-bucket';
  /** How long a window lasts, or a bucket takes to get one call back, in seconds. */
  span: number;
  /** At which second of a minute the first call comes. */
  second: number;
  /** Seconds that each call takes. */
  pace?: number;
}

test.for(kinds)(
  '%s windows of a minute let no call through too early, whenever they are looked at',
  async (kind) => {
    for (const second of seconds)
      for (const pace of [0, 0.2, 1])
        expect({ second, pace, early: await look({ kind, span: 60, second, pace }) }).toMatchObject({
          early: false,
        });
  },
);

test.for([
  [6, false],
  [2, true],
] as const)('ten at once and one more every %i seconds: too early %s', async ([span, isEarly]) => {
  for (const second of seconds)
    for (const pace of [0, 0.2]) {
      const early = await look({ kind: 'token-bucket', span, second, pace });
      expect({ second, pace, early }).toMatchObject({ early: isEarly });
    }
});

test.for(kinds)('%s windows of half a minute let calls through too early', async (kind) => {
  for (const second of seconds)
    expect({ second, early: await look({ kind, span: 30, second, pace: 0.1 }) }).toMatchObject({
      early: true,
    });
});

async function look(deployment: Deployment): Promise<boolean> {
  const { context, limited } = open(deployment);
  const measured = await measureLimit(context, limited);
  return (await callTooEarly(context, limited, { measured })) !== undefined;
}

function open({ kind, span, second, pace = 0 }: Deployment) {
  let now = Date.parse('2026-01-02T03:04:00Z') + second * 1000;
  const spanMs = span * 1000;
  const counted: number[] = [];
  const sent: number[] = [];
  const windowStart = (time: number) => {
    if (kind === 'aligned') return Math.floor(time / spanMs) * spanMs;
    let start = Number.NEGATIVE_INFINITY;
    for (const one of [...counted, time]) if (one >= start + spanMs) start = one;
    return start;
  };
  const isLive = (time: number) => (kind === 'sliding' ? time > now - spanMs : time >= windowStart(now));
  let tokens = 10;
  let last = now;
  const isFree = () => {
    if (kind !== 'token-bucket') return counted.filter(isLive).length < 10;
    tokens = Math.min(10, tokens + (now - last) / spanMs);
    last = now;
    if (tokens >= 1) tokens--;
    else return false;
    return true;
  };
  const limited: Limited = {
    what: 'logins',
    isUnchanged: () => false,
    hasWorked: () => true,
    sendPlain: async () => undefined,
    lastAt: () => sent.at(-1),
    recent: () => sent.filter((time) => time > now - 61_000),
    send: async () => {
      now += pace * 1000;
      sent.push(now);
      const isTaken = isFree();
      if (isTaken) counted.push(now);
      return exchangeOf({ code: isTaken ? 0 : 42900 }, { status: isTaken ? 200 : 429 });
    },
  };
  const clock = {
    now: () => now,
    waitUntil: async (time: number) => {
      now = Math.max(now, time);
    },
    pass: async (ms: number) => {
      now += ms;
    },
  };
  return { context: { ...base, clock: clock as unknown as Clock }, limited };
}
