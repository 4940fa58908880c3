import { afterAll, describe, expect, test } from 'vitest';
import { type StartOptions, startMock } from '../start.ts';
import { exchangeAt } from '../testing/open-mock.ts';

const origin = 'http://localhost:5173';
const mock = await startMock({ cors: true, clock: 'manual' });
await mock.worlds.create({ name: 'a' });
const { port } = new URL(mock.baseUrl);
const authorization = `Authorization: Bearer ${mock.tenants[0]?.apiKey}`;
afterAll(() => mock.close());

/** Sends a request line by line, and returns the headers of the first answer. */
async function send(line: string, fields: readonly string[] = [], body = '') {
  const lines = [`${line} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...fields, '', body];
  const { status, headers } = await exchangeAt(Number(port), [lines.join('\r\n')]);
  return { status, headers };
}

const allowed = {
  'access-control-allow-origin': origin,
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': 'Retry-After, WWW-Authenticate, Allow',
  vary: 'Origin',
};

describe('a page may send', () => {
  test.each([
    'authorization,content-type',
    'traceparent,tracestate,sentry-trace,baggage,x-requested-with,x-request-id',
    'x-sitepub-world',
  ])('the headers %s', async (names) => {
    const { status, headers } = await send('OPTIONS /api/v1/tenant/sites', [
      `Origin: ${origin}`,
      'Access-Control-Request-Method: POST',
      `Access-Control-Request-Headers: ${names}`,
    ]);
    expect([status, headers]).toEqual([
      204,
      expect.objectContaining({ ...allowed, vary: expect.any(String) }),
    ]);
    expect(headers['access-control-allow-headers']).toBe(names);
    expect(headers.vary).toBe('Origin, Access-Control-Request-Headers');
  });

  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])('%s, also where nothing is', async (method) => {
    const fields = [`Origin: ${origin}`, `Access-Control-Request-Method: ${method}`];
    for (const path of [
      '/api/v1/nothing',
      '/api/v1/tenant/sites/%zz',
      '/w/a/api/v1/tenant/sites',
      '/w/none/api/v1/tenant/sites',
    ]) {
      const { status, headers } = await send(`OPTIONS ${path}`, fields);
      expect([status, headers['access-control-allow-origin']]).toEqual([204, origin]);
      expect(headers['access-control-allow-methods']?.split(', ')).toContain(method);
    }
  });

  test('from a public address to this machine', async () => {
    const { headers } = await send('OPTIONS /api/v1/tenant/sites', [
      `Origin: ${origin}`,
      'Access-Control-Request-Method: GET',
      'Access-Control-Request-Private-Network: true',
    ]);
    expect(headers['access-control-allow-private-network']).toBe('true');
  });
});

describe('a page may read the answer', () => {
  const json = 'Content-Type: application/json';
  test.each<[status: number, line: string, fields: string[], body?: string]>([
    [200, 'GET /api/v1/tenant/sites', [authorization]],
    [200, 'GET /w/a/api/v1/tenant/sites', [authorization]],
    [401, 'GET /api/v1/tenant/sites', []],
    [404, 'GET /api/v1/nothing', []],
    [404, 'GET /w/none/api/v1/tenant/sites', []],
    [405, 'PUT /api/v1/tenant/sites', []],
    [405, 'OPTIONS /api/v1/tenant/sites', []],
    [400, 'GET /api/v1/tenant/sites/%zz', [authorization]],
    [400, 'POST /api/v1/auth/tenant/login', [json, 'Content-Length: 1'], '{'],
    [413, 'POST /api/v1/auth/tenant/login', [json, 'Content-Length: 1100000'], 'x'.repeat(1_100_000)],
    [415, 'POST /api/v1/auth/tenant/login', ['Content-Type: text/plain', 'Content-Length: 1'], 'x'],
    [429, 'GET /api/v1/tenant/sites', [authorization, 'Prefer: code=429']],
    [503, 'GET /api/v1/tenant/sites', [authorization, 'Prefer: code=503']],
    [431, 'GET /api/v1/tenant/sites', [`X: ${'x'.repeat(20_000)}`]],
    [400, 'GET /api/v1/tenant/sites', ['no field']],
    [400, 'GET /api/v1/tenant/sites', ['Content-Length: 1', 'Content-Length: 2']],
  ])('%i to %s', async (status, line, fields, body) => {
    const answer = await send(line, [`Origin: ${origin}`, ...fields], body);
    expect([answer.status, answer.headers]).toEqual([status, expect.objectContaining(allowed)]);
  });

  test.each(['null', 'https://shop.example', 'chrome-extension://abc'])('from %s', async (other) => {
    const { headers } = await send('GET /api/v1/tenant/sites', [`Origin: ${other}`]);
    expect(headers['access-control-allow-origin']).toBe(other);
  });

  test('of a request of which nothing can be told', async () => {
    const { headers } = await exchangeAt(Number(port), ['\u0016\u0003\u0001\r\n\r\n']);
    expect(headers).toMatchObject({ 'access-control-allow-origin': '*' });
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });
});

test('who is no page is told no origin, and that answers differ by it', async () => {
  const { headers } = await send('GET /api/v1/tenant/sites');
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control-allow'))).toEqual([]);
  expect(headers.vary).toBe('Origin');
});

describe('no page may call the control API', () => {
  test.each([
    'GET /_mock/health',
    'POST /_mock/reset',
    'POST /_mock/inbox/ci',
    'GET /_mock/nothing',
    'GET /%5Fmock/health',
    'GET /%5f%6dock/health',
    'GET /w/a/_mock/health',
    'GET /w/a/%5Fmock/health',
    'GET /w/none/_mock/health',
    'GET http://localhost/_mock/health',
    'GET /_mock/%zz',
  ])('%s', async (line) => {
    const asked = line.replace(/^\w+/, 'OPTIONS');
    const preflight = ['Access-Control-Request-Method: POST', 'Access-Control-Request-Headers: x'];
    for (const answer of [
      await send(line, [`Origin: ${origin}`]),
      await send(asked, [`Origin: ${origin}`, ...preflight]),
      await send(line, [`Origin: ${origin}`, 'no field']),
      await send(line, [`Origin: ${origin}`, `X: ${'x'.repeat(20_000)}`]),
    ])
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('of a world that a header names', async () => {
    const { headers } = await send('GET /_mock/health', [`Origin: ${origin}`, 'X-Sitepub-World: a']);
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });
});

test.each<StartOptions>([{}, { controlPort: 0 }])(
  'without --cors no answer has such headers: %j',
  async (options) => {
    const other = await startMock(options);
    for (const fields of ['', 'no field\r\n']) {
      const sent = `GET /api/v1/tenant/sites HTTP/1.1\r\nHost: a\r\nOrigin: ${origin}\r\nConnection: close\r\n${fields}\r\n`;
      const { headers } = await exchangeAt(Number(new URL(other.baseUrl).port), [sent]);
      expect(Object.keys(headers).filter((name) => /^(access-control|vary)/.test(name))).toEqual([]);
    }
    await other.close();
  },
);
