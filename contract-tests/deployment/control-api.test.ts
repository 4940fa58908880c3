import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createEnding } from '../core/ending.ts';
import { ControlError, createControl, openControl } from './control-api.ts';

test.for([
  ['no JSON', 'text/html', '<h1>Hello</h1>', 200],
  ['no time', 'application/json', '{}', 200],
  ['a refusal', 'application/json', '{"error":"a control token is needed"}', 401],
] as const)('an address that answers with %s is no control API', async ([, type, body, status]) => {
  await using server = await serve(type, body, status);
  const opened = openControl(server.url, undefined);
  await expect(opened).rejects.toThrow(ControlError);
  await expect(opened).rejects.toThrow(
    /^--control-url http:\S+ does not answer as a mock's control API does/,
  );
});

test('sends the token as Bearer', async () => {
  await using server = await serve('application/json', '{"mode":"manual","now":"2026-01-02T03:04:05Z"}', 200);
  await openControl(`${server.url}/`, 't0ken');
  expect(server.seen).toEqual(['GET /clock Bearer t0ken']);
});

test('ends at an answer longer than any', async () => {
  await using server = await serve('application/json', `{"now":"${' '.repeat(9_000_000)}"}`, 200);
  await expect(openControl(server.url, undefined)).rejects.toThrow('its body is longer than 8 MB');
});

test('follows no redirect', async () => {
  await using server = await serve('application/json', '{"now":"2026-01-02T03:04:05Z"}', 302, {
    Location: '/elsewhere',
  });
  await expect(openControl(server.url, undefined)).rejects.toThrow('refused GET /clock: 302');
  expect(server.seen).toEqual(['GET /clock undefined']);
});

test.for(['-000001-01-01T00:00:00Z', '+275760-09-13T00:00:00Z', 1e308, [['2026']], null])(
  'a clock at %j shows no time',
  async (now) => {
    await using server = await serve('application/json', JSON.stringify({ now, mode: 'manual' }), 200);
    await expect(openControl(server.url, undefined)).rejects.toThrow('the control API returned no time');
  },
);

test('what refuses a call later on is a ControlError too', async () => {
  await using server = await serve('application/json', '[]', 200);
  await expect(createControl(server.url, undefined).drain()).rejects.toThrow(ControlError);
  await expect(createControl('http://127.0.0.1:9/_mock', undefined).drain()).rejects.toThrow(ControlError);
});

test('a health answer without a profile is refused', async () => {
  await using server = await serve('application/json', '{"profile":{"name":7,"values":null}}', 200);
  await expect(createControl(server.url, undefined).readProfile()).rejects.toThrow('returned no profile');
});

test('ends a moment after the run is interrupted, whatever is dripped', async () => {
  const stopping = new AbortController();
  await using server = await drip();
  const read = createControl(server.url, undefined, createEnding(stopping.signal)).readClock();
  setTimeout(() => stopping.abort(), 50);
  const startedAt = performance.now();
  await expect(read).rejects.toThrow('the run was interrupted');
  expect(performance.now() - startedAt).toBeLessThan(2_500);
});

async function drip() {
  const server = createServer((_request, response) => {
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(timer));
  });
  return listen(server, []);
}

async function serve(type: string, body: string, status: number, headers: Record<string, string> = {}) {
  const seen: string[] = [];
  const server = createServer(({ method, url, headers: { authorization } }, response) => {
    seen.push(`${method} ${url} ${authorization}`);
    response.writeHead(status, { 'Content-Type': type, ...headers }).end(body);
  });
  return listen(server, seen);
}

async function listen(server: Server, seen: string[]) {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
