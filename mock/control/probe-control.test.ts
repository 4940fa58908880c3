import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type StartOptions, startMock } from '../start.ts';
import { openControl } from '../testing/open-control.ts';

async function open(options: StartOptions = {}) {
  const mock = await startMock({ clock: 'manual', ...options });
  onTestFinished(() => mock.close());
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${mock.controlUrl}${path}`, { headers });
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
  };
  return { mock, get, logIn: () => logIn(mock.baseUrl) };
}

async function logIn(baseUrl: string): Promise<void> {
  await fetch(`${baseUrl}/auth/tenant/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'mei@harbour-cafe.example', password: 'demo-password-mei' }),
  });
}

test('live and ready need no token, metrics do', async () => {
  const { mock, get } = await open({ controlToken: 'a-token' });
  expect(await get('/live')).toMatchObject({ status: 200, text: '{"live":true}' });
  expect(await get('/ready')).toMatchObject({ status: 200, text: '{"ready":true}' });
  expect((await get('/metrics')).status).toBe(401);
  expect((await get('/metrics', { authorization: 'Bearer a-token' })).status).toBe(200);
  const head = async (path: string) => (await fetch(mock.controlUrl + path, { method: 'HEAD' })).status;
  expect([await head('/live'), await head('/ready'), await head('/health')]).toEqual([200, 200, 401]);
});

test('a web page of another origin reads neither, where there is no token', async () => {
  const { get } = await open();
  for (const path of ['/live', '/ready', '/metrics'])
    expect((await get(path, { origin: 'https://shop.example' })).status, path).toBe(403);
});

test('a mock whose store fails lives, and is not ready', async () => {
  const { call, service } = openControl();
  const reason = "store file:mock.db can't be written: the disk is full";
  service.store = { check: async () => reason } as NonNullable<typeof service.store>;
  expect(await call('GET /ready')).toMatchObject({ status: 503, body: { error: reason } });
  expect((await call('GET /live')).status).toBe(200);
});

test('a mock that is ending is not ready', async () => {
  const { call, service } = openControl();
  service.events.emit('closing');
  expect(await call('GET /ready')).toMatchObject({ status: 503, body: { error: 'the mock is ending' } });
});

test('metrics count requests and attempts, and measure what waits', async () => {
  const { mock, get, logIn } = await open();
  await logIn();
  await logIn();
  const { text, type } = await get('/metrics');
  expect(type).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(text).toContain('# TYPE sitepub_requests_total counter\n');
  expect(text).toContain('sitepub_requests_total{operation="login",status="200"} 2\n');
  expect(text).toContain('sitepub_worlds 1\n');
  expect(text).toContain('sitepub_oldest_due_seconds 0\n');
  expect(text).not.toContain('sitepub_turn_seconds');
  await mock.control.createWorld({ name: 'pr-1' });
  expect((await get('/metrics')).text).toContain('sitepub_worlds 2\n');
  await mock.control.endWorld('pr-1');
  expect((await get('/metrics')).text).toContain('sitepub_worlds 1\n');
});

test('metrics of a store tell of its turns, as Prometheus reads it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-metrics-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const mock = await startMock({ store: `file:${join(folder, 'mock.db')}` });
  onTestFinished(() => mock.close());
  await logIn(mock.baseUrl);
  const text = await mock.control.metrics();
  for (const phase of ['wait', 'run', 'commit'])
    expect(text).toMatch(new RegExp(`^sitepub_turn_seconds_count\\{phase="${phase}"\\} [1-9]`, 'm'));
  expect(text).toMatch(/^sitepub_turn_calls_bucket\{le="1"\} [1-9]/m);
  expect(text).toMatch(/^sitepub_rows_changed_total [1-9]/m);
  for (const line of text.trimEnd().split('\n'))
    expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"\\\n]*"(,\w+="[^"\\\n]*")*\})? [\d.e+-]+)$/);
});
