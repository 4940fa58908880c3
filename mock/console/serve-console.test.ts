import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openMock } from '../testing/open-mock.ts';

function open(options: Parameters<typeof openMock>[1] = {}) {
  const { app, controlApp, service } = openMock(undefined, options);
  const get = (url: string, headers: Record<string, string> = {}, one = controlApp) =>
    one.inject({ method: 'GET', url, headers });
  return { app, controlApp, service, get };
}

test('serves the page with a strict content security policy', async () => {
  const { get, service } = open();
  const { statusCode, headers, payload } = await get('/_mock/console');
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  const policy = String(headers['content-security-policy']);
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /);
  expect(policy).not.toContain('unsafe');
  expect(payload).not.toMatch(/style=|onclick|(href|src)="(?!\.\/|data:,)/);
  expect(service.journal.entries()).toEqual([]);
});

test('serves every file that the page references, by relative URLs', async () => {
  const { get } = open();
  const { payload } = await get('/_mock/console');
  const names = [...payload.matchAll(/\.\/(console\/[\w.-]+)/g)].map(([, name]) => name);
  expect(names).toEqual(['console/console.css', 'console/console.js']);
  for (const name of names) {
    const { statusCode, headers, payload: text } = await get(`/_mock/${name}`);
    expect([name, statusCode]).toEqual([name, 200]);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(text).not.toMatch(/^interface |^import type |sourceMappingURL|["'`]\/_mock/m);
  }
});

test('compresses files, and answers 304 for a known file', async () => {
  const { get } = open();
  const plain = await get('/_mock/console/console.css');
  const small = await get('/_mock/console/console.css', { 'accept-encoding': 'gzip, br' });
  const gzip = await get('/_mock/console/console.css', { 'accept-encoding': 'br;q=0, gzip' });
  expect([small.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip']);
  expect(brotliDecompressSync(small.rawPayload).toString()).toBe(plain.payload);
  expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.payload);
  const again = await get('/_mock/console/console.css', { 'if-none-match': String(plain.headers.etag) });
  expect([again.statusCode, again.payload]).toEqual([304, '']);
});

test('serves no other file, and redirects the folder to the page', async () => {
  const { get } = open();
  for (const name of ['app.ts', 'tsconfig.json', '..%2ffind-asset.ts', 'constructor'])
    expect([name, (await get(`/_mock/console/${name}`)).statusCode]).toEqual([name, 404]);
  const { statusCode, headers } = await get('/_mock/console/');
  expect([statusCode, headers.location]).toEqual([302, '../console']);
});

test('redirects browsers from / to the console, and sends other clients the addresses', async () => {
  const { get, service } = open();
  const browser = await get('/', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
  expect([browser.statusCode, browser.headers.location]).toEqual([302, '_mock/console']);
  for (const headers of [{}, { accept: 'application/json, */*' }]) {
    const other = await get('/', headers);
    const urls = { base_url: 'http://127.0.0.1/api/v1', console_url: 'http://127.0.0.1/_mock/console' };
    expect([other.statusCode, other.json()]).toMatchObject([200, urls]);
  }
  expect(service.journal.entries()).toEqual([]);
});

test.each(['/', '/w/a/', '/w/a'])('answers HEAD %s, which tools use to wait for a server', async (url) => {
  const { app, controlApp, service } = openMock(undefined, { controlPort: 0 });
  await controlApp.inject({ method: 'POST', url: '/_mock/worlds', payload: { name: 'a' } });
  for (const one of [app, controlApp])
    for (const accept of ['*/*', 'application/json, text/plain, */*']) {
      const { statusCode, payload } = await one.inject({ method: 'HEAD', url, headers: { accept } });
      expect([statusCode, payload]).toEqual([200, '']);
    }
  expect(service.journal.entries()).toEqual([]);
});

test('redirects from the port of the service to that of the control API', async () => {
  const { get, app, controlApp } = open({ controlPort: 0 });
  const origin = await controlApp.listen({ port: 0, host: '127.0.0.1' });
  const { port } = new URL(origin);
  for (const [host, name] of [
    ['localhost:4010', 'localhost'],
    ['[::1]:4010', '[::1]'],
    ['evil@x.example', '127.0.0.1'],
  ] as const) {
    const { headers } = await get('/', { accept: 'text/html', host }, app);
    expect(headers.location).toBe(`http://${name}:${port}/_mock/console`);
  }
  expect((await get('/_mock/console', {}, app)).statusCode).toBe(404);
  expect((await get('/', { accept: 'text/html' })).headers.location).toBe('_mock/console');
  await controlApp.close();
});

test('serves the page without a control token, but not its data', async () => {
  const { get } = open({ controlToken: 'a-control-token' });
  expect((await get('/_mock/console')).statusCode).toBe(200);
  expect((await get('/_mock/overview')).statusCode).toBe(401);
});

test('the console of a named world uses the addresses of that world', async () => {
  const { app, controlApp } = openMock();
  await controlApp.inject({ method: 'POST', url: '/_mock/worlds', payload: { name: 'a' } });
  const get = (url: string) => app.inject({ method: 'GET', url, headers: { accept: 'text/html' } });
  expect((await get('/w/a/')).headers.location).toBe('_mock/console');
  expect((await get('/w/a/_mock/console')).payload).toContain('href="./console/console.css"');
  expect((await get('/w/a/_mock/console/console.css')).statusCode).toBe(200);
  expect((await get('/w/main/_mock/console/console.css')).statusCode).toBe(200);
  const payload = { operation: 'login', username: 'mei@harbour-cafe.example' };
  await app.inject({ method: 'POST', url: '/w/a/_mock/calls', payload });
  const requestsAt = async (url: string) => (await app.inject(url)).json().requests;
  expect(await requestsAt('/_mock/overview')).toEqual([]);
  expect(await requestsAt('/w/a/_mock/overview')).toMatchObject([{ operation: 'login' }]);
});
