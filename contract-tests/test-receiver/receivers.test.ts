// @module-tag nightly
// Receivers that meet every promise in unusual ways must not fail.

import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { drip, listenTo } from '../testing.ts';
import { receiverChecks } from './checks/index.ts';
import { lawfulGateways } from './testing/lawful-gateways.ts';
import { lawfulReceivers } from './testing/lawful-receivers.ts';
import type { Decide } from './testing/open-receiver.ts';
import { decideRightly } from './testing/right-receiver.ts';
import { judge, outcomesOf } from './testing/run.ts';

const advice = receiverChecks.flatMap(({ id, requirement }) =>
  requirement === 'advice' && !/of-5-mb|many-at-once|slow-sender|-signed-/.test(id) ? [id] : [],
);

test.concurrent.for([...lawfulReceivers, ...lawfulGateways])(
  'does not fail a receiver that $name',
  async (row) => {
    const { make, told, passes = [], leavesOpen = [], warns = [], drifts = [] } = row;
    const only = ['RECV-1', 'RECV-2', ...advice];
    // Long enough for a busy machine.
    const wanted = { only, timeoutMs: 5_000, ...told };
    const { run, failed, passed, notVerified, warned } = await judge(make(), wanted);
    expect(failed).toEqual([]);
    expect(run.results.filter(({ result }) => result.outcome === 'error')).toEqual([]);
    expect(passed).toEqual(expect.arrayContaining([...passes]));
    expect(notVerified).toEqual(expect.arrayContaining([...leavesOpen]));
    expect(warned).toEqual(expect.arrayContaining([...warns]));
    const drifting = run.gaps.filter(({ outcome }) => outcome === 'drift').map(({ id }) => id);
    expect(drifting).toEqual(drifts);
  },
);

test.for([
  ['would answer a burst only after many timeouts', 40],
  ['is nearly too slow for a single push', 600],
] as const)(
  'verifies a receiver that handles one push at a time and %s',
  { timeout: 300_000 },
  async ([, ms]) => {
    const decide: Decide = async (seen, key) => {
      await sleep(ms);
      return decideRightly(seen, key);
    };
    const only =
      ms > 100
        ? ['recv-1-right-push', 'recv-2-zeros', 'advice-many-at-once', 'recv-1-accepted-after-others']
        : [];
    const { run, failed, notVerified, warned } = await judge(
      decide,
      { timeoutMs: 2_000, only },
      { isSerial: true },
    );
    const open = run.results.filter(({ result }) => result.outcome === 'not-verified');
    expect(open.map(({ result }) => `${result.id}: ${result.reason}`)).toEqual([]);
    expect([failed, notVerified]).toEqual([[], []]);
    // A slow sender blocks such a receiver for others.
    expect(warned).toEqual(only.length > 0 ? [] : ['advice-slow-sender']);
  },
);

test.for<[string, number, (response: ServerResponse, count: number) => unknown]>([
  ['never ends its bodies', 60_000, drip],
  ['stops answering after six pushes', 30_000, (response, count) => count <= 6 && response.end()],
])('ends the run in bounded time if a receiver %s', { timeout: 120_000 }, async ([, mostMs, answer]) => {
  let count = 0;
  await using server = await listenTo(
    createServer((request, response) => {
      request.resume().on('end', () => answer(response, ++count));
    }),
  );
  const startedAt = performance.now();
  const { run } = await outcomesOf(`${server.origin}/`, { timeoutMs: 1_000 });
  expect(performance.now() - startedAt).toBeLessThan(mostMs);
  expect(run.abort).toBeUndefined();
  expect(run.results.length).toBeGreaterThan(0);
});
