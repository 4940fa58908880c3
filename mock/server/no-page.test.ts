import { describe, expect, test } from 'vitest';
import { openControl } from '../testing/open-control.ts';
import { exchangeRaw, openMock } from '../testing/open-mock.ts';

type Headers = Readonly<Record<string, unknown>>;

function guardOf({ headers }: { headers: Headers }) {
  return [headers['content-security-policy'], headers['x-content-type-options']];
}

const guard = ["sandbox; default-src 'none'", 'nosniff'];
const page = '<script>alert(1)</script>';

describe('an answer of an inbox is no page of the console’s origin', () => {
  test.each([
    { 'content-type': 'text/html' },
    { 'content-security-policy': "script-src * 'unsafe-inline'", 'x-content-type-options': 'x' },
    {
      'Content-Security-Policy': 'default-src *',
      'CONTENT-SECURITY-POLICY': 'x',
      'X-Content-Type-Options': '',
    },
    { 'content-type': 'image/svg+xml' },
    { 'content-type': 'application/xhtml+xml' },
    {},
  ])('with the headers %j', async (headers) => {
    for (const method of ['GET', 'POST', 'HEAD', 'OPTIONS'] as const) {
      const { app, call } = openControl();
      await call('PUT /inbox/ci', { respond: [{ status: 200, headers, body: page }] });
      expect(guardOf(await app.inject({ method, url: '/_mock/inbox/ci/x?y' }))).toEqual(guard);
    }
  });

  test.each([200, 204, 302, 304, 404, 500, 599])('with the status %i', async (status) => {
    const { app, call } = openControl();
    await call('PUT /inbox/ci', { respond: [status] });
    expect(guardOf(await app.inject('/_mock/inbox/ci'))).toEqual(guard);
  });

  test.each(['plain', 'wecom', 'dingtalk', 'feishu'])('as %s', async (kind) => {
    const { app, call } = openControl();
    await call('PUT /inbox/ci', { kind });
    expect(guardOf(await app.inject({ method: 'POST', url: '/_mock/inbox/ci' }))).toEqual(guard);
  });

  test('where the message is refused', async () => {
    const { app } = openControl();
    const tooLarge = { method: 'POST', url: '/_mock/inbox/ci', payload: 'x'.repeat(1_048_577) } as const;
    const preflight = { method: 'OPTIONS', headers: { 'access-control-request-method': 'PUT' } } as const;
    for (const request of [tooLarge, { url: '/_mock/inbox/%zz' }, { ...preflight, url: '/_mock/inbox/ci' }])
      expect(guardOf(await app.inject(request))).toEqual(guard);
  });

  test('of a world that there is not', async () => {
    expect(guardOf(await openMock().app.inject('/w/a/_mock/inbox/ci'))).toEqual(guard);
  });

  test('of a world by name', async () => {
    const { app } = openControl();
    await app.inject({ method: 'POST', url: '/_mock/worlds', payload: { name: 'a' } });
    const settings = { respond: [{ status: 200, headers: { 'content-type': 'text/html' }, body: page }] };
    await app.inject({ method: 'PUT', url: '/w/a/_mock/inbox/ci', payload: settings });
    const answer = await app.inject('/w/a/_mock/inbox/ci');
    expect([answer.body, guardOf(answer)]).toEqual([page, guard]);
  });

  test('and sets nothing for the whole origin', async () => {
    const { app, call } = openControl();
    const headers = {
      'Set-Cookie': 'a=b',
      'clear-site-data': '"*"',
      'Strict-Transport-Security': 'max-age=9',
      'Service-Worker-Allowed': '/',
      location: '/there',
    };
    await call('PUT /inbox/ci', { respond: [{ status: 302, headers }] });
    const { headers: sent } = await app.inject('/_mock/inbox/ci');
    const names = Object.keys(headers).map((name) => name.toLowerCase());
    expect(names.filter((name) => name in sent)).toEqual(['location']);
  });

  test('and has the length that it has', async () => {
    const { app, call } = openControl();
    const headers = { 'Content-Length': '2', 'transfer-encoding': 'identity' };
    const body = `{}HTTP/1.1 200 OK\r\n\r\n${page}`;
    await call('PUT /inbox/ci', { respond: [{ status: 200, headers, body }] });
    const sent = 'GET /_mock/inbox/ci HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n';
    const { received } = await exchangeRaw({ app }, [sent]);
    expect(received).toContain(`\r\ncontent-length: ${body.length}\r\n`);
    expect(received).not.toMatch(/identity/);
    await app.close();
  });
});

describe('an answer of the service that was asked for is no page either', () => {
  const url = '/api/v1/tenant/sites';

  test.each(['code=503', 'code=202', 'delay=1'])('with Prefer: %s', async (prefer) => {
    const { app, harbourKey } = openMock();
    const headers = { prefer, authorization: `Bearer ${harbourKey}` };
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

  test.each([{ variations: ['plain-answers'] }, { variations: ['untyped-answers'] }])(
    'nor one of another type, with %j',
    async (options) => {
      const { app } = openMock(undefined, options);
      expect(guardOf(await app.inject(url))).toEqual(guard);
    },
  );

  test('nor a page that a fault sends', async () => {
    const { app } = openMock(undefined, { faults: ['html-for-malformed-login'] });
    const headers = { 'content-type': 'application/json' };
    const answer = await app.inject({
      method: 'POST',
      url: '/api/v1/auth/tenant/login',
      headers,
      payload: '{',
    });
    expect([answer.headers['content-type'], guardOf(answer)]).toEqual(['text/html', guard]);
  });

  test('an ordinary answer is as it was', async () => {
    expect(guardOf(await openMock().app.inject(url))).toEqual([undefined, undefined]);
  });
});
