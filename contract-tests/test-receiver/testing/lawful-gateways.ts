// Receivers that meet every promise but refuse in unusual ways or are behind a gateway.
import { setTimeout as sleep } from 'node:timers/promises';
import type { LawfulReceiver } from './lawful-receivers.ts';
import type { Decide, Decision } from './open-receiver.ts';
import { decideRightly, isSigned } from './right-receiver.ts';

const rightPush = 'recv-1-right-push';
const stated = { site: { id: 7, name: 'Seven' }, events: ['publish.complete'] } as const;

/** Answers invalid signatures differently. */
function rejecting(decision: Decision | (() => Promise<Decision>)): Decide {
  return (seen, secret) => {
    if (isSigned(seen, secret)) return decideRightly(seen, secret);
    return typeof decision === 'function' ? decision() : decision;
  };
}

/** A gateway that limits the pushes per window. */
function bounding(status: number, most: number, windowMs: number): Decide {
  let times: number[] = [];
  return (seen, secret) => {
    times = times.filter((time) => time > Date.now() - windowMs);
    if (times.length >= most) return status;
    times.push(Date.now());
    return decideRightly(seen, secret);
  };
}

/** Locks everybody out for a while after five invalid signatures. */
function lockingOut(forMs: number): Decide {
  let wrong = 0;
  let until = 0;
  return (seen, secret) => {
    if (Date.now() < until) return 403;
    if (!isSigned(seen, secret) && ++wrong % 5 === 0) until = Date.now() + forMs;
    return decideRightly(seen, secret);
  };
}

export const lawfulGateways: readonly LawfulReceiver[] = [
  {
    name: 'answers everything with 202 and verifies later',
    make: () => () => 202,
    passes: [rightPush],
    leavesOpen: ['recv-2-zeros', 'recv-2-unsigned'],
    warns: ['advice-refused-by-status'],
  },
  {
    name: 'refuses in the body of a 200 answer',
    make: () => rejecting([200, '{"code":40101,"message":"signature mismatch"}']),
    passes: [rightPush],
    leavesOpen: ['recv-2-zeros'],
    warns: ['advice-refused-by-status'],
  },
  {
    name: 'closes the connection after an invalid signature',
    make: () => rejecting(() => Promise.reject(new Error('go away'))),
    passes: [rightPush, 'recv-2-zeros', 'recv-2-unsigned', 'recv-1-accepted-after-others'],
    warns: ['advice-refused-without-5xx'],
  },
  {
    name: 'answers later than the run waits',
    make: () => async (seen, secret) => {
      await sleep(700);
      return decideRightly(seen, secret);
    },
    told: { timeoutMs: 400 },
    leavesOpen: [rightPush],
  },
  {
    name: 'delays answers to invalid signatures',
    make: () =>
      rejecting(async () => {
        await sleep(2_000);
        return 401;
      }),
    told: { only: ['RECV-1', 'recv-2-zeros', 'recv-2-unsigned', 'recv-2-sha1'], timeoutMs: 1_000 },
    passes: [rightPush],
    leavesOpen: ['recv-2-zeros', 'recv-2-unsigned'],
  },
  {
    name: 'is behind a gateway that limits the rate with 429',
    make: () => bounding(429, 40, 900),
    told: { only: ['RECV-2'] },
    passes: ['recv-2-zeros', 'recv-2-space-added'],
  },
  {
    name: 'is behind a gateway that limits the rate with 503',
    make: () => bounding(503, 40, 900),
    told: { only: ['RECV-2'] },
    passes: ['recv-2-zeros', 'recv-2-space-added'],
  },
  {
    name: 'is unavailable',
    make: () => () => 503,
    told: { timeoutMs: 100 },
    leavesOpen: [rightPush],
  },
  {
    name: 'locks everybody out briefly after five invalid signatures',
    make: () => lockingOut(300),
    told: { timeoutMs: 1_000, only: ['RECV-1', 'RECV-2', 'advice-not-locked-out'] },
    passes: ['recv-1-accepted-after-others', 'recv-2-zeros', 'recv-2-space-added'],
    warns: ['advice-not-locked-out'],
  },
  {
    name: 'locks everybody out forever after five invalid signatures',
    make: () => lockingOut(60_000),
    passes: [rightPush],
    leavesOpen: ['recv-2-space-added'],
    warns: ['advice-not-locked-out'],
  },
  {
    name: 'has moved',
    make: () => () => 308,
    told: stated,
    leavesOpen: [rightPush],
  },
  {
    name: 'accepts pushes only from known addresses',
    make: () => () => 403,
    told: stated,
    leavesOpen: [rightPush],
  },
];
