import { execFileSync } from 'node:child_process';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { messageTypes } from '../inbox/robots/testing.ts';
import { openMock, profileWith } from '../testing/open-mock.ts';
import { robotMessage } from '../webhooks/robot-message.ts';
import { readChatMessage } from './page/chat-message.ts';
import { curlOf } from './page/curl-of.ts';
import { parseExactly, writeExactly } from './page/exact-json.ts';
import { worldNameIn } from './page/world-name.ts';

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

test('redirects from the port of the service to the port of the control API', async () => {
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

/** Splits the curl command into words, as a shell does. */
function wordsOf(request: Parameters<typeof curlOf>[0]): string[] {
  const line = curlOf(request, 'http://127.0.0.1:4010/api/v1');
  const script = `curl() { for word; do printf '%s\\0' "$word"; done; }; TOKEN=secret; ${line}`;
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

test('the curl command repeats the request, with a variable for the token', () => {
  const headers = { host: 'x', authorization: 'Bearer st_…', 'x-a': 'b', 'sec-fetch-site': 'none' };
  const body = { note: "it's", id: 1892345678901234567n };
  const request = { method: 'POST', path: '//evil.example/?x=1', request_headers: headers };
  expect(wordsOf({ ...request, request_body: body })).toEqual([
    // Two slashes must not select another host.
    ...['-X', 'POST', 'http://127.0.0.1:4010//evil.example/?x=1'],
    ...['-H', 'Authorization: Bearer secret', '-H', 'x-a: b'],
    ...['--data', '{"note":"it\'s","id":1892345678901234567}'],
  ]);
});

test.each(["'; touch /tmp/x; '", '$(id)', '`id`', '"$TOKEN"', '\\'])(
  'the curl command does not execute %j',
  (hostile) => {
    const request = {
      method: 'POST',
      path: '/a',
      request_headers: { 'x-a': hostile },
      request_body: hostile,
    };
    expect(wordsOf(request).slice(3)).toEqual(['-H', `x-a: ${hostile}`, '--data', JSON.stringify(hostile)]);
  },
);

const content = { title: 'Published', lines: ['site: 101', 'pages: 12'] };

test.each(messageTypes)('reads the %s message of type %s', (robot, type) => {
  const profile = profileWith({ [`channel.${robot}`]: type });
  const shown = readChatMessage(robotMessage(robot, content, profile));
  expect(`${shown?.title ?? ''}\n${shown?.text}`).toMatch(/Published[\s\S]*site: 101[\s\S]*pages: 12/);
});

const odd = ['text', 'null', '{"text":3}', '{"content": {"post": {"a": null}}}', '{"card": {"elements": 3}}'];

test.each(odd)('does not take %s for a chat message', (body) => {
  expect(readChatMessage(body)).toBeUndefined();
});

test('reads and writes JSON integers with all digits', () => {
  const text = '{"id":1892345678901234567,"list":[7,-1.5,1e30],"text":"1892345678901234567"}';
  expect(parseExactly(text)).toEqual({
    id: 1892345678901234567n,
    list: [7, -1.5, 1e30],
    text: '1892345678901234567',
  });
  expect(writeExactly(parseExactly(text))).toBe(text.replace('1e30', '1e+30'));
  expect(() => parseExactly('{')).toThrow(SyntaxError);
});

test.for([
  ['/_mock/', undefined],
  ['/w/pr-1/_mock/', 'pr-1'],
  ['/behind/a/proxy/w/Shop.2_b/_mock/', 'Shop.2_b'],
  ['/w/_mock/', undefined],
])('the console at %s belongs to the world %s', ([path, name]) => {
  expect(worldNameIn(String(path))).toBe(name);
});
