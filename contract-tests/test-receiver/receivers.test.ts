// @module-tag nightly
// No receiver that keeps its promises fails, however it does so.

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { receiverChecks } from './checks/index.ts';
import { lawfulGateways } from './testing/lawful-gateways.ts';
import { lawfulReceivers } from './testing/lawful-receivers.ts';
import { openReceiver } from './testing/open-receiver.ts';
import { decideRightly } from './testing/right-receiver.ts';
import { outcomesOf, secret } from './testing/run.ts';

const advice = receiverChecks.flatMap(({ id, requirement }) =>
  requirement === 'advice' && !/of-5-mb|many-at-once|slow-sender|-signed-/.test(id) ? [id] : [],
);

test.concurrent.for([...lawfulReceivers, ...lawfulGateways])(
  'a receiver that $name does not fail',
  async (row) => {
    const { make, told, passes = [], leavesOpen = [], warns = [], drifts = [] } = row;
    await using receiver = await openReceiver(make(), { secret });
    const only = ['RECV-1', 'RECV-2', ...advice];
    const { run, failed, passed, notVerified, warned } = await outcomesOf(receiver.url, {
      only,
      // Enough for receivers that share a busy machine with other tests.
      timeoutMs: 5_000,
      ...told,
    });
    expect(failed).toEqual([]);
    expect(run.results.filter(({ result }) => result.outcome === 'error')).toEqual([]);
    expect(passed).toEqual(expect.arrayContaining([...passes]));
    expect(notVerified).toEqual(expect.arrayContaining([...leavesOpen]));
    expect(warned).toEqual(expect.arrayContaining([...warns]));
    const drifting = run.gaps.filter(({ outcome }) => outcome === 'drift').map(({ id }) => id);
    expect(drifting).toEqual(drifts);
  },
);

// Receivers that take one push at a time are verified like others, however many wait.
test.for([
  ['whose pushes of a burst are late by many times the timeout', 40],
  ['that is nearly too slow for a single push', 600],
] as const)(
  'a receiver that takes one push at a time, and %s, is verified',
  { timeout: 300_000 },
  async ([, ms]) => {
    await using receiver = await openReceiver(
      async (seen, key) => {
        await sleep(ms);
        return decideRightly(seen, key);
      },
      { secret, isSerial: true },
    );
    const only =
      ms > 100
        ? ['recv-1-right-push', 'recv-2-zeros', 'advice-many-at-once', 'recv-1-accepted-after-others']
        : [];
    const { run, failed, notVerified, warned } = await outcomesOf(receiver.url, { timeoutMs: 2_000, only });
    const open = run.results.filter(({ result }) => result.outcome === 'not-verified');
    expect(open.map(({ result }) => `${result.id}: ${result.reason}`)).toEqual([]);
    expect([failed, notVerified]).toEqual([[], []]);
    // A sender that takes its time keeps such a receiver from others.
    expect(warned).toEqual(only.length > 0 ? [] : ['advice-slow-sender']);
  },
);

// Receivers that never end their answers hold no run for long.
test.for([
  [
    'drips its bodies for ever',
    60_000,
    (response: ServerResponse) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('x'), 50);
      response.on('close', () => clearInterval(timer));
    },
  ],
  [
    'falls silent after six answers',
    30_000,
    (response: ServerResponse, count: number) => {
      if (count <= 6) response.end();
    },
  ],
] as const)(
  'a run against a receiver that %s ends in bounded time',
  { timeout: 120_000 },
  async ([, mostMs, answer]) => {
    let count = 0;
    const server = createServer((request, response) => {
      request.resume().on('end', () => answer(response, ++count));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const startedAt = performance.now();
    const { run } = await outcomesOf(url, { timeoutMs: 1_000 });
    expect(performance.now() - startedAt).toBeLessThan(mostMs);
    expect(run.abort).toBeUndefined();
    expect(run.results.length).toBeGreaterThan(0);
    server.closeAllConnections();
    server.close();
  },
);
