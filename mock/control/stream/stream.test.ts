import { once } from 'node:events';
import { get } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Mock } from '../../service.ts';
import { checkAnswer, listenControl, listenTo, openControl } from '../../testing/open-control.ts';
import { createStreamBudget } from './stream-budget.ts';
import type { Note } from './watch.ts';

test('streams requests, messages, deliveries and the clock', async () => {
  const { origin, inboxUrl, call, subscribe, harbourKey, app } = await listenControl();
  const { events, response, text, closed } = await listenTo(`${origin}/_mock/stream`);
  expect(response.headers['content-type']).toBe('text/event-stream');
  await subscribe({ url: `${inboxUrl}?key=abc`, secret: 'correct-horse' });
  await call('POST /events', { event: 'publish.complete', site_id: 101 });
  await call('POST /clock', { advance: 'PT1M' });
  await expect
    .poll(() => events().map(({ event }) => event))
    .toEqual(['request', 'message', 'delivery', 'clock']);
  for (const { event, data } of events()) {
    const { inbox: _, ...answer } = data;
    const schema = `${event.charAt(0).toUpperCase()}${event.slice(1)}`;
    checkAnswer(`/components/schemas/${schema}`, { line: event, status: 200, answer });
  }
  expect(events()).toMatchObject([
    { data: { operation: 'createSubscription', status: 200 } },
    { data: { inbox: 'ci', id: 1, path: '?key=abc', answer: { status: 200 } } },
    { data: { state: 'delivered', attempts: [{ status: 200 }] } },
    { data: { now: '2026-01-02T03:05:05.000Z' } },
  ]);
  // Messages of an inbox are not redacted.
  const others = text().replace(/^event: message\n.*$/gm, '');
  for (const secret of ['correct-horse', 'key=abc', harbourKey]) expect(others).not.toContain(secret);
  await app.close();
  await closed;
});

/** Without the metrics, which always listen. */
function countListeners({ events }: Pick<Mock, 'events'>): number {
  return events.listenerCount('request') - 1;
}

test('listens to the mock only while there is a client', async () => {
  const { origin, service } = await listenControl();
  const count = () => countListeners(service);
  expect(count()).toBe(0);
  const url = `${origin}/_mock/stream`;
  const [one, other] = [await listenTo(url), await listenTo(url)];
  expect(count()).toBe(1);
  one.response.destroy();
  other.response.destroy();
  await expect.poll(count).toBe(0);
});

test('a client that leaves while it waits takes no place', async () => {
  const { origin, service, app } = await listenControl();
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const turn = () => {
    begun.resolve();
    return ended.promise;
  };
  Object.assign(service, { store: { shared: { journal: { follow: () => () => {} } } }, turn });
  const request = get(`${origin}/_mock/stream`).on('error', () => {});
  const [, socket] = await Promise.all([begun.promise, once(app.server, 'connection')]);
  request.destroy();
  await once(socket[0], 'close');
  ended.resolve();
  await nextTurn();
  expect(countListeners(service)).toBe(0);
  Object.assign(service, { store: undefined });
});

test('accepts at most 100 listeners in all worlds together', async () => {
  const { origin, call } = await listenControl();
  for (const name of ['a', 'b', 'c']) await call('POST /worlds', { name });
  const streams = ['', '/w/a', '/w/b', '/w/c'].map((prefix) => `${origin}${prefix}/_mock/stream`);
  const listeners = await Promise.all(
    Array.from({ length: 100 }, (_, count) => listenTo(streams[count % 4] ?? '')),
  );
  const { status, body } = await call('GET /stream');
  const error = 'the streams of this mock have 100 listeners already; close one of them';
  expect([status, body.error]).toEqual([409, error]);
  listeners[0]?.response.destroy();
  await expect.poll(async () => (await listenTo(`${origin}/_mock/stream`)).response.statusCode).toBe(200);
  for (const { response } of listeners) response.destroy();
});

test('disconnects a client that does not read', async () => {
  const { origin, app, service } = await listenControl();
  const { response } = await listenTo(`${origin}/_mock/stream`);
  response.pause();
  const payload = { password: ['x'.repeat(4000)], text: 'y'.repeat(4000) };
  for (let count = 0; count < 5000 && countListeners(service) > 0; count++)
    await app.inject({ method: 'POST', url: '/api/v1/auth/tenant/login', payload });
  expect(countListeners(service)).toBe(0);
});

test('ends when the mock shuts down', async () => {
  const { origin, service } = await listenControl();
  const { closed } = await listenTo(`${origin}/_mock/stream`);
  service.events.emit('closing');
  await closed;
});

function listenerWith(writableLength: number) {
  const onClose: (() => void)[] = [];
  const listener = {
    writableLength,
    isDropped: false,
    on: (_event: 'close', act: () => void) => onClose.push(act),
    destroy() {
      listener.isDropped = true;
      for (const act of onClose) act();
    },
  };
  return listener;
}

test.each<[string, number[], number[]]>([
  ['more than 1 MiB', [1_048_576, 1_048_577], [1]],
  ['most, if all together have more than 32 MiB', [...Array(40).fill(900_000), 10, 0], [0, 1, 2]],
])('disconnects the clients that have left %s unread', (_case, lengths, dropped) => {
  const { admit, settle } = createStreamBudget();
  const listeners = lengths.map(listenerWith);
  for (const listener of listeners) admit(listener);
  settle();
  expect([...listeners.keys()].filter((index) => listeners[index]?.isDropped)).toEqual(dropped);
});

/** Collects the notes that a watcher gets, one list per call. */
function watch({ control }: Pick<ReturnType<typeof openControl>, 'control'>) {
  const given: (readonly Note[])[] = [];
  const end = control.watch((notes) => given.push(notes));
  return { given, end };
}

test('a watcher gets requests, attempts and the clock, without secrets', async () => {
  const mock = await listenControl();
  const { call, subscribe, harbourKey, inboxUrl, app } = mock;
  const { given, end } = watch(mock);
  const url = `${inboxUrl}?key=abc`;
  await call('PUT /inbox/ci', { respond: [500] });
  await subscribe({ url, secret: 'correct-horse' });
  await app.inject({ url: `/api/v1/tenant/sites?token=${harbourKey}` });
  await call('POST /events', { event: 'publish.complete' });
  await call('POST /clock', { advance: 'PT1M' });
  end();
  const [at, minuteLater] = ['2026-01-02T03:04:05.000Z', '2026-01-02T03:05:05.000Z'];
  const who = expect.stringMatching(/^API key "/);
  const refusal = expect.stringContaining('the Authorization header is missing');
  const push = { type: 'push', delivery_id: 1, event: 'publish.complete', channel: 'custom', site_id: 101 };
  const first = { number: 1, cause: 'event', at, status: 500, next_attempt_at: minuteLater };
  expect(given.flat()).toMatchObject([
    { type: 'request', at, operation: 'createSubscription', tenant: 'Harbour Café', who, code: 0 },
    { type: 'request', path: '/api/v1/tenant/sites?token=…', status: 401, refusal },
    { ...push, ...first, url: expect.stringMatching(/\/inbox\/ci\?key=…$/) },
    { ...push, number: 2, cause: 'retry', status: 200, state: 'delivered' },
    { type: 'clock', mode: 'manual', now: minuteLater },
  ]);
  for (const secret of ['correct-horse', 'abc', harbourKey])
    expect(JSON.stringify(given)).not.toContain(secret);
});

test('a watcher gets the notes of one event loop turn together, and the rest at its end', async () => {
  const mock = openControl();
  const { given, end } = watch(mock);
  for (let count = 0; count < 3; count++) mock.service.events.emit('clock');
  expect(given).toEqual([]);
  await nextTurn();
  expect(given.map((notes) => notes.length)).toEqual([3]);
  mock.service.events.emit('clock');
  end();
  mock.service.events.emit('clock');
  await nextTurn();
  expect(given.map((notes) => notes.length)).toEqual([3, 1]);
});
