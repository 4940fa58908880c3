import { afterAll, describe, expect, test } from 'vitest';
import { type StartOptions, startMock } from '../start.ts';
import { exchangeAt } from '../testing/open-mock.ts';
import { startTestMock } from '../testing/started-mock.ts';

const origin = 'http://localhost:5173';
const mock = await startMock({ cors: true, clock: 'manual' });
await mock.worlds.create({ name: 'a' });
const authorization = `Authorization: Bearer ${mock.tenants[0]?.apiKey}`;
afterAll(() => mock.close());

const portOf = ({ baseUrl }: { baseUrl: string }) => Number(new URL(baseUrl).port);

/** Sends a request from a page of the origin. */
async function send(
  line: string,
  fields: readonly string[] = [],
  { body = '', to = mock as { baseUrl: string }, from = [`Origin: ${origin}`] } = {},
) {
  const lines = [`${line} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...from, ...fields, '', body];
  const { status, headers } = await exchangeAt(portOf(to), [lines.join('\r\n')]);
  return { status, headers };
}

function namesIn(headers: object, pattern: RegExp): string[] {
  return Object.keys(headers).filter((name) => pattern.test(name));
}

const allowed = {
  'access-control-allow-origin': origin,
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': 'Retry-After, WWW-Authenticate, Allow',
  vary: 'Origin',
};

describe('a page may send', () => {
  test('any headers, even from a public address to this machine', async () => {
    const names = 'authorization,content-type,traceparent,baggage,x-request-id,x-sitepub-world';
    const { status, headers } = await send('OPTIONS /api/v1/tenant/sites', [
      'Access-Control-Request-Method: POST',
      `Access-Control-Request-Headers: ${names}`,
      'Access-Control-Request-Private-Network: true',
    ]);
    expect(status).toBe(204);
    expect(headers).toMatchObject({
      ...allowed,
      'access-control-allow-headers': names,
      'access-control-allow-private-network': 'true',
      vary: 'Origin, Access-Control-Request-Headers',
    });
  });

  test.each([
    '/api/v1/nothing',
    '/api/v1/tenant/sites/%zz',
    '/w/a/api/v1/tenant/sites',
    '/w/none/api/v1/tenant/sites',
  ])('each method to %s', async (path) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status, headers } = await send(`OPTIONS ${path}`, [`Access-Control-Request-Method: ${method}`]);
      expect([status, headers['access-control-allow-origin']]).toEqual([204, origin]);
      expect(headers['access-control-allow-methods']?.split(', ')).toContain(method);
    }
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
  ])('%i to %s', async (status, line, fields, body = '') => {
    const answer = await send(line, fields, { body });
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject(allowed);
  });

  test('from a page with the origin null', async () => {
    const { headers } = await send('GET /api/v1/tenant/sites', [], { from: ['Origin: null'] });
    expect(headers['access-control-allow-origin']).toBe('null');
  });

  test('of an unreadable request', async () => {
    const { headers } = await exchangeAt(portOf(mock), ['\u0016\u0003\u0001\r\n\r\n']);
    expect(headers).toMatchObject({ 'access-control-allow-origin': '*' });
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });
});

test('a client without an origin gets no CORS headers except Vary', async () => {
  const { headers } = await send('GET /api/v1/tenant/sites', [], { from: [] });
  expect([namesIn(headers, /^access-control-allow/), headers.vary]).toEqual([[], 'Origin']);
});

describe('no page may call the control API', () => {
  const preflight = ['Access-Control-Request-Method: POST', 'Access-Control-Request-Headers: x'];

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
    const apart = await startTestMock({ cors: true, controlPort: 0 });
    for (const answer of [
      await send(line, [], { to: apart }),
      await send(line.replace(/^\w+/, 'OPTIONS'), preflight, { to: { baseUrl: apart.controlUrl } }),
      await send(line),
      await send(line.replace(/^\w+/, 'OPTIONS'), preflight),
      await send(line, ['no field']),
      await send(line, [`X: ${'x'.repeat(20_000)}`]),
      await send(line, ['X-Sitepub-World: a']),
    ]) {
      expect(namesIn(answer.headers, /^access-control/)).toEqual([]);
      if (!line.includes('/inbox/')) expect(answer.status).toBeGreaterThanOrEqual(400);
    }
  });
});

test.each<StartOptions>([{}, { controlPort: 0 }])(
  'without --cors, sends no CORS headers: %j',
  async (options) => {
    const to = await startTestMock(options);
    for (const fields of [[], ['no field']]) {
      const { headers } = await send('GET /api/v1/tenant/sites', fields, { to });
      expect(namesIn(headers, /^(access-control|vary)/)).toEqual([]);
    }
  },
);
