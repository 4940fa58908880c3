// Gives localhost two addresses on every machine.
import dns from 'node:dns/promises';
import { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import fastify from 'fastify';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { startMock } from '../start.ts';
import { listen } from './listen.ts';

let asked = 0;
const { lookup } = dns;
Object.assign(dns, {
  async lookup() {
    asked++;
    await sleep(50);
    return [{ address: '127.0.0.1' }, { address: '::1' }, { address: '192.0.2.1' }];
  },
});
syncBuiltinESMExports();
afterAll(() => {
  Object.assign(dns, { lookup });
  syncBuiltinESMExports();
});

test('a drain waits for calls at the second address of localhost, and refuses new connections there', async () => {
  const mock = await startMock({ host: 'localhost', latency: { least: 300, most: 300 } });
  onTestFinished(() => mock.close());
  const url = `http://[::1]:${new URL(mock.baseUrl).port}/api/v1/tenant/sites`;
  const slow = fetch(url);
  await sleep(100);
  const draining = mock.drain();
  await expect(fetch(url)).rejects.toThrow('fetch failed');
  expect((await slow).status).toBe(401);
  await draining;
});

test('does not listen at the second address if the app was closed meanwhile', async () => {
  const app = fastify({ serverFactory: (handler) => createServer(handler) });
  asked = 0;
  const listening = listen(app, 0, 'localhost');
  await expect.poll(() => asked).toBe(1);
  const { port } = app.server.address() as { port: number };
  await app.close();
  expect(await listening).toEqual([]);
  await expect(fetch(`http://[::1]:${port}/`)).rejects.toThrow('fetch failed');
});
