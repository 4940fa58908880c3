// Receivers that meet every promise but refuse in unusual ways or are behind a gateway.
import { setTimeout as sleep } from 'node:timers/promises';
import { type LawfulReceiver, lawful, rightPush } from './lawful-receivers.ts';
import type { Decide, Decision } from './open-receiver.ts';
import { decideRightly, isSigned } from './right-receiver.ts';

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
  lawful('answers everything with 202 and verifies later', () => () => 202, {
    passes: [rightPush],
    leavesOpen: ['recv-2-zeros', 'recv-2-unsigned'],
    warns: ['advice-refused-by-status'],
  }),
  lawful(
    'refuses in the body of a 200 answer',
    () => rejecting([200, '{"code":40101,"message":"signature mismatch"}']),
    { passes: [rightPush], leavesOpen: ['recv-2-zeros'], warns: ['advice-refused-by-status'] },
  ),
  lawful(
    'closes the connection after an invalid signature',
    () => rejecting(() => Promise.reject(new Error('go away'))),
    {
      passes: [rightPush, 'recv-2-zeros', 'recv-2-unsigned', 'recv-1-accepted-after-others'],
      warns: ['advice-refused-without-5xx'],
    },
  ),
  lawful(
    'answers later than the run waits',
    () => async (seen, secret) => {
      await sleep(700);
      return decideRightly(seen, secret);
    },
    { told: { timeoutMs: 400 }, leavesOpen: [rightPush] },
  ),
  lawful(
    'delays answers to invalid signatures',
    () =>
      rejecting(async () => {
        await sleep(2_000);
        return 401;
      }),
    {
      told: { only: ['RECV-1', 'recv-2-zeros', 'recv-2-unsigned', 'recv-2-sha1'], timeoutMs: 1_000 },
      passes: [rightPush],
      leavesOpen: ['recv-2-zeros', 'recv-2-unsigned'],
    },
  ),
  ...[429, 503].map((status) =>
    lawful(`is behind a gateway that limits the rate with ${status}`, () => bounding(status, 40, 900), {
      told: { only: ['RECV-2'] },
      passes: ['recv-2-zeros', 'recv-2-space-added'],
    }),
  ),
  lawful('is unavailable', () => () => 503, { told: { timeoutMs: 100 }, leavesOpen: [rightPush] }),
  lawful('locks everybody out briefly after five invalid signatures', () => lockingOut(300), {
    told: { timeoutMs: 1_000, only: ['RECV-1', 'RECV-2', 'advice-not-locked-out'] },
    passes: ['recv-1-accepted-after-others', 'recv-2-zeros', 'recv-2-space-added'],
    warns: ['advice-not-locked-out'],
  }),
  lawful('locks everybody out forever after five invalid signatures', () => lockingOut(60_000), {
    passes: [rightPush],
    leavesOpen: ['recv-2-space-added'],
    warns: ['advice-not-locked-out'],
  }),
  lawful('has moved', () => () => 308, { told: stated, leavesOpen: [rightPush] }),
  lawful('accepts pushes only from known addresses', () => () => 403, {
    told: stated,
    leavesOpen: [rightPush],
  }),
];
