import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { listenControl, openControl } from '../../testing/open-control.ts';
import type { Note } from './watch.ts';

/** What a watcher of the mock was given, each time in a list. */
function watch({ control }: Pick<ReturnType<typeof openControl>, 'control'>) {
  const given: (readonly Note[])[] = [];
  const end = control.watch((notes) => given.push(notes));
  return { given, end };
}

test('hands over requests, attempts and the clock, without secrets', async () => {
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
  expect(given.flat()).toEqual([
    {
      type: 'request',
      at: '2026-01-02T03:04:05.000Z',
      method: 'POST',
      path: '/api/v1/tenant/sites/101/webhooks',
      operation: 'createSubscription',
      tenant: 'Harbour Café',
      who: expect.stringMatching(/^API key "/),
      status: 200,
      code: 0,
      trace_id: expect.any(String),
      duration_ms: expect.any(Number),
    },
    expect.objectContaining({
      path: '/api/v1/tenant/sites?token=…',
      status: 401,
      refusal: expect.stringContaining('the Authorization header is missing'),
    }),
    {
      type: 'push',
      delivery_id: 1,
      event: 'publish.complete',
      channel: 'custom',
      site_id: 101,
      url: expect.stringMatching(/\/inbox\/ci\?key=…$/),
      number: 1,
      cause: 'event',
      at: '2026-01-02T03:04:05.000Z',
      status: 500,
      duration_ms: 0,
      state: 'pending',
      next_attempt_at: '2026-01-02T03:05:05.000Z',
    },
    expect.objectContaining({ type: 'push', number: 2, cause: 'retry', status: 200, state: 'delivered' }),
    { type: 'clock', mode: 'manual', now: '2026-01-02T03:05:05.000Z' },
  ]);
  for (const secret of ['correct-horse', 'abc', harbourKey])
    expect(JSON.stringify(given)).not.toContain(secret);
});

test('hands over what happens in one turn of the event loop at once, and the rest when it ends', async () => {
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

test('nothing listens where nobody watches', () => {
  const { control, service } = openControl();
  const count = () => service.events.eventNames().map((name) => service.events.listenerCount(name));
  const before = count();
  control.watch(() => {})();
  expect(count()).toEqual(before);
});
