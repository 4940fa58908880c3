import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { MockError, StoreUnreachable } from './mock-error.ts';
import { waitForStore } from './wait-for-store.ts';

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise((closed) => probe.close(closed));
  return port;
}

function waitOn(open: () => Promise<string>, { waitMs = 10_000, port = 0 } = {}) {
  const logged: string[] = [];
  const host = '127.0.0.1';
  const log = (line: string) => void logged.push(line);
  return { opened: waitForStore(open, { waitMs, host, ports: [port], tls: undefined, log }), logged };
}

test('a mock lives and is not ready until its store can be reached', async () => {
  const port = await freePort();
  let isThere = false;
  const { opened, logged } = waitOn(
    async () => {
      if (!isThere) throw new StoreUnreachable('store db is not there');
      return 'opened';
    },
    { port },
  );
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  await expect.poll(() => ask('/_mock/live').then(({ status }) => status)).toBe(200);
  const ready = await ask('/_mock/ready');
  expect([ready.status, ready.headers.get('retry-after'), await ready.json()]).toEqual([
    503,
    '1',
    { error: 'store db is not there' },
  ]);
  expect((await ask('/api/v1/tenant/sites')).status).toBe(503);
  isThere = true;
  expect(await opened).toBe('opened');
  expect(logged).toEqual(['store db is not there; trying again for 10 s']);
  // The mock itself takes the port then.
  const next = createServer().listen(port, '127.0.0.1');
  await once(next, 'listening');
  next.close();
});

test('it gives up when the time is up', async () => {
  const { opened } = waitOn(() => Promise.reject(new StoreUnreachable('store db is not there')), {
    waitMs: 600,
  });
  await expect(opened).rejects.toThrow('store db is not there');
});

test('it does not wait for what time does not mend', async () => {
  const { opened, logged } = waitOn(() => Promise.reject(new MockError('no rights')));
  await expect(opened).rejects.toThrow('no rights');
  expect(logged).toEqual([]);
});
