import { expect, test } from 'vitest';
import { openControl } from '../testing/open-control.ts';
import { logIn, startTestMock } from '../testing/started-mock.ts';
import { pathOfTest } from '../testing/test-store.ts';

test('only metrics need a token, live and ready do not', async () => {
  const { controlUrl } = await startTestMock({ controlToken: 'a-token' });
  const ask = (path: string, options: RequestInit = {}) => fetch(controlUrl + path, options);
  expect(await (await ask('/live')).json()).toEqual({ live: true });
  expect(await (await ask('/ready')).json()).toEqual({ ready: true });
  const method = 'HEAD';
  const answers = [await ask('/live', { method }), await ask('/ready', { method }), await ask('/metrics')];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 401]);
  expect((await ask('/health', { method })).status).toBe(401);
  expect((await ask('/metrics', { headers: { authorization: 'Bearer a-token' } })).status).toBe(200);
});

test.each(['/live', '/ready', '/metrics'])(
  'without a token, refuses %s to a web page of another origin',
  async (path) => {
    const { call } = openControl();
    expect((await call(`GET ${path}`, undefined, { origin: 'https://shop.example' })).status).toBe(403);
  },
);

test('a mock is live but not ready while its store fails or it shuts down', async () => {
  const { call, service } = openControl();
  const reason = "store file:mock.db can't be written: the disk is full";
  service.store = { check: async () => reason } as NonNullable<typeof service.store>;
  expect(await call('GET /ready')).toMatchObject({ status: 503, body: { error: reason } });
  service.events.emit('closing');
  expect(await call('GET /ready')).toMatchObject({
    status: 503,
    body: { error: 'the mock is shutting down' },
  });
  expect((await call('GET /live')).status).toBe(200);
});

test('metrics count requests and worlds', async () => {
  const mock = await startTestMock({ clock: 'manual' });
  await logIn(mock);
  await logIn(mock);
  const answer = await fetch(`${mock.controlUrl}/metrics`);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const text = await answer.text();
  expect(text).toContain('# TYPE sitepub_requests_total counter\n');
  expect(text).toContain('sitepub_requests_total{operation="login",status="200"} 2\n');
  expect(text).toContain('sitepub_worlds 1\n');
  expect(text).toContain('sitepub_oldest_due_seconds 0\n');
  expect(text).not.toContain('sitepub_turn_seconds');
  await mock.control.createWorld({ name: 'pr-1' });
  expect(mock.control.metrics()).toContain('sitepub_worlds 2\n');
  await mock.control.endWorld('pr-1');
  expect(mock.control.metrics()).toContain('sitepub_worlds 1\n');
});

test('metrics of a store include its turns, in the Prometheus format', async () => {
  const mock = await startTestMock({ store: `file:${pathOfTest()}` });
  await logIn(mock);
  const text = await mock.control.metrics();
  for (const phase of ['wait', 'run', 'commit'])
    expect(text).toMatch(new RegExp(`^sitepub_turn_seconds_count\\{phase="${phase}"\\} [1-9]`, 'm'));
  expect(text).toMatch(/^sitepub_turn_calls_bucket\{le="1"\} [1-9]/m);
  expect(text).toMatch(/^sitepub_rows_changed_total [1-9]/m);
  for (const line of text.trimEnd().split('\n'))
    expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"\\\n]*"(,\w+="[^"\\\n]*")*\})? [\d.e+-]+)$/);
});
