// @module-tag nightly
// Receivers that never end their answers hold no run for long.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { outcomesOf } from './testing/run.ts';

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
