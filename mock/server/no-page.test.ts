import type { InjectOptions } from 'fastify';
import { describe, expect, test } from 'vitest';
import { openControl } from '../testing/open-control.ts';
import { openMock, sendLines } from '../testing/open-mock.ts';

function guardOf({ headers }: { headers: Readonly<Record<string, unknown>> }) {
  return [headers['content-security-policy'], headers['x-content-type-options']];
}

const guard = ["sandbox; default-src 'none'", 'nosniff'];
const page = '<script>alert(1)</script>';

describe('an answer of an inbox cannot act as a page of the console’s origin', () => {
  const url = '/_mock/inbox/ci';

  const headers: Record<string, string>[] = [
    { 'content-type': 'text/html' },
    { 'content-security-policy': "script-src * 'unsafe-inline'", 'x-content-type-options': 'x' },
    { 'Content-Security-Policy': '*', 'CONTENT-SECURITY-POLICY': 'x', 'X-Content-Type-Options': '' },
    {},
  ];
  const preflight = { method: 'OPTIONS', headers: { 'access-control-request-method': 'PUT' } } as const;
  type Row = [settings: object, request: InjectOptions];

  test.each<Row>([
    ...headers.map((one): Row => [{ respond: [{ status: 200, headers: one, body: page }] }, { url }]),
    ...(['GET', 'POST', 'HEAD', 'OPTIONS'] as const).map(
      (method): Row => [{}, { method, url: `${url}/x?y` }],
    ),
    ...[200, 204, 302, 304, 404, 500, 599].map((status): Row => [{ respond: [status] }, { url }]),
    ...['wecom', 'dingtalk', 'feishu'].map((kind): Row => [{ kind }, { method: 'POST', url }]),
    [{}, { method: 'POST', url, payload: 'x'.repeat(1_048_577) }],
    [{}, { url: '/_mock/inbox/%zz' }],
    [{}, { url: '/w/none/_mock/inbox/ci' }],
    [{}, { ...preflight, url }],
  ])('with the settings %j, row %#', async (settings, request) => {
    const { app, call } = openControl();
    await call('PUT /inbox/ci', settings);
    expect(guardOf(await app.inject(request))).toEqual(guard);
  });

  test('in a named world', async () => {
    const { app } = openControl();
    await app.inject({ method: 'POST', url: '/_mock/worlds', payload: { name: 'a' } });
    const settings = { respond: [{ status: 200, headers: { 'content-type': 'text/html' }, body: page }] };
    await app.inject({ method: 'PUT', url: '/w/a/_mock/inbox/ci', payload: settings });
    const answer = await app.inject('/w/a/_mock/inbox/ci');
    expect([answer.body, guardOf(answer)]).toEqual([page, guard]);
  });

  test('without headers for the whole origin', async () => {
    const { app, call } = openControl();
    const respond = {
      'Set-Cookie': 'a=b',
      'clear-site-data': '"*"',
      'Strict-Transport-Security': 'max-age=9',
      'Service-Worker-Allowed': '/',
      location: '/there',
    };
    await call('PUT /inbox/ci', { respond: [{ status: 302, headers: respond }] });
    const { headers: sent } = await app.inject(url);
    const names = Object.keys(respond).map((name) => name.toLowerCase());
    expect(names.filter((name) => name in sent)).toEqual(['location']);
  });

  test('with its real length', async () => {
    const { app, call } = openControl();
    const wrong = { 'Content-Length': '2', 'transfer-encoding': 'identity' };
    const body = `{}HTTP/1.1 200 OK\r\n\r\n${page}`;
    await call('PUT /inbox/ci', { respond: [{ status: 200, headers: wrong, body }] });
    const { received } = await sendLines({ app }, [`GET ${url} HTTP/1.1`, 'host: a']);
    expect(received).toContain(`\r\ncontent-length: ${body.length}\r\n`);
    expect(received).not.toMatch(/identity/);
  });
});

describe('a forced answer of the service cannot act as a page', () => {
  const url = '/api/v1/tenant/sites';

  test.each([
    ['code=503', {}],
    ['code=202', {}],
    ['delay=1', {}],
    [undefined, { variations: ['plain-answers'] }],
    [undefined, { variations: ['untyped-answers'] }],
  ])('with Prefer: %s and the options %j', async (prefer, options) => {
    const { app, harbourKey } = openMock(undefined, options);
    const headers = { ...(prefer && { prefer }), authorization: `Bearer ${harbourKey}` };
    expect(guardOf(await app.inject({ url, headers }))).toEqual(guard);
  });

  test.each([{ status: 404 }, { code: 50000 }, { body: page }, { status: 500, body: { a: page } }])(
    'with the override %j',
    async (override) => {
      const { app, call } = openControl();
      await call('POST /overrides', { operation: 'listSites', ...override });
      expect(guardOf(await app.inject(url))).toEqual(guard);
    },
  );

  test('with a fault that sends HTML', async () => {
    const { app } = openMock(undefined, { faults: ['html-for-malformed-login'] });
    const headers = { 'content-type': 'application/json' };
    const login = '/api/v1/auth/tenant/login';
    const answer = await app.inject({ method: 'POST', url: login, headers, payload: '{' });
    expect([answer.headers['content-type'], guardOf(answer)]).toEqual(['text/html', guard]);
  });

  test('an ordinary answer has no such headers', async () => {
    expect(guardOf(await openMock().app.inject(url))).toEqual([undefined, undefined]);
  });
});
