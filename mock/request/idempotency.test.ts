import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import type { MockOptions } from '../server/mock-options.ts';
import type { OpenedWorld } from '../store/open-store.ts';
import { openSqlite } from '../store/sqlite/open-sqlite.ts';
import { StoreError } from '../store/store-error.ts';
import { openMock, openReceiver, profileWith, type TestMock } from '../testing/open-mock.ts';
import { pathOfTest, persistWith, watchEngine } from '../testing/test-store.ts';

/** Creates sites concurrently. */
function createSites({ perform, harbourKey }: TestMock, names: readonly string[], token = harbourKey) {
  return Promise.all(names.map((name) => perform('createSite', { name }, token)));
}

async function create(...given: Parameters<typeof createSites>) {
  return (await createSites(...given)).map(({ values }) => values.id);
}

test.each([10, 30])('a repetition after the window of %i seconds starts a new one', async (seconds) => {
  const mock = openMock(profileWith({ 'idempotency.window': seconds }));
  const ids = [];
  for (const wait of [0, seconds * 1000 - 1, 1, seconds * 1000 - 1]) {
    mock.clock.time += wait;
    ids.push(...(await create(mock, ['same'])));
  }
  expect(ids).toEqual([1001, 1001, 1002, 1002]);
});

test('does not store the answer of a refused call', async () => {
  const { codeOf, harbourKey, service } = openMock();
  expect(await codeOf('publishSite', { siteID: 999, note: 'x' }, harbourKey)).toBe(40400);
  expect(service.world.firstAnswers.size).toBe(0);
});

test.each([
  ['new', 2],
  ['same', 1],
])('with the trace_id of a repetition %s, two answers have %i trace ids', async (value, count) => {
  const mock = openMock(profileWith({ 'idempotency.trace': value }));
  const answers = await createSites(mock, ['x', 'x']);
  expect(new Set(answers.map(({ envelope }) => envelope.trace_id)).size).toBe(count);
});

test.each([
  [{ 'idempotency.subscriptions': 'separate' }, 2],
  [{ 'idempotency.subscriptions': 'repeated' }, 1],
  // Another gap defines repetitions of subscriptions.
  [{ 'idempotency.scope': 'every-post' }, 2],
])('with %j, the same creation twice makes %i subscriptions', async (values, count) => {
  const { subscribe, service } = openMock(profileWith(values));
  for (let times = 0; times < 2; times++) await subscribe();
  expect(service.world.subscriptions.size).toBe(count);
});

test('with a key header, the same key returns the first result, even for another request', async () => {
  const keyed = { 'idempotency.repetition': 'key-header', 'idempotency.key-header': 'X-Request-Key' };
  const { perform, harbourKey } = openMock(profileWith(keyed));
  const ids = [];
  for (const [key, name] of [
    [{ 'x-request-key': 'k1' }, 'a'],
    [{ 'x-request-key': 'k1' }, 'b'],
    [{ 'x-request-key': 'k2' }, 'a'],
    [{}, 'a'],
    [{}, 'a'],
  ] as const)
    ids.push((await perform('createSite', { name }, harbourKey, key)).values.id);
  expect(ids).toEqual([1001, 1001, 1002, 1003, 1004]);
});

test.each([
  ['counted', [0, 42900]],
  ['not-counted', [0, 0]],
])('repetitions of a publish are %s towards its limit', async (value, codes) => {
  const { codesOf, harbourKey } = openMock(profileWith({ 'limits.repeats': value }));
  const publish = ['publishSite', { siteID: 101, note: 'same' }, harbourKey];
  expect((await codesOf(...Array(11).fill(publish))).slice(9)).toEqual(codes);
});

describe('every POST', () => {
  const everyPost = profileWith({ 'idempotency.scope': 'every-post' });

  test('repeats a login, a key creation and a test message within the window', async () => {
    const { perform, subscribe, logIn, harbourKey, service, clock } = openMock(everyPost);
    const token = await logIn();
    expect(await logIn()).toBe(token);
    const createKey = async () => (await perform('createKey', { name: 'k' }, harbourKey)).values.key;
    expect(await createKey()).toBe(await createKey());
    const { id } = (await subscribe({ url: 'http://127.0.0.1:1/' })).values;
    for (let count = 0; count < 2; count++)
      await perform('testSubscription', { siteID: 101, id }, harbourKey);
    expect(service.world.deliveries.size).toBe(1);
    clock.time += 30_000;
    expect(await logIn()).not.toBe(token);
  });

  test('treats a refresh with another token as another request', async () => {
    const { perform, logIn, mei, tom } = openMock(everyPost);
    const [meis, toms] = [await logIn(mei), await logIn(tom)];
    const renew = async (token: string) => (await perform('refresh', {}, token)).values.token;
    const first = await renew(meis);
    expect(await renew(toms)).not.toBe(first);
    expect(await renew(meis)).toBe(first);
  });
});

describe('a repetition of a call in progress', () => {
  const refusing = profileWith({ 'idempotency.in-progress': 'refused' });

  test('is refused if the profile says so, and gets the result afterwards', async () => {
    const mock = openMock(refusing);
    const codesOf = async (names: string[]) =>
      (await createSites(mock, names)).map(({ envelope }) => envelope.code).toSorted();
    expect(await codesOf(['a', 'a', 'b'])).toEqual([0, 0, 40903]);
    expect(await codesOf(['a'])).toEqual([0]);
    expect((await mock.perform('listSites', {}, mock.harbourKey)).values.total).toBe(4);
  });

  test('otherwise waits for the call, and the window begins when the call ends', async () => {
    const mock = openMock(profileWith({ 'idempotency.window': 10 }));
    mock.service.settings.habits.creationMs = 200;
    const startedAt = performance.now();
    expect(await create(mock, ['a', 'a'])).toEqual([1001, 1001]);
    expect(performance.now() - startedAt).toBeGreaterThan(195);
    mock.clock.time += 10_199;
    expect(await create(mock, ['a'])).toEqual([1001]);
    mock.clock.time += 1;
    expect(await create(mock, ['a'])).toEqual([1002]);
  });

  /** A mock that answers test messages after 150 milliseconds and `clockMs` on its clock. */
  async function openTested(
    values: Readonly<Record<string, unknown>>,
    { clockMs = 0, ...options }: Partial<MockOptions> & { clockMs?: number } = {},
  ) {
    const shown = { 'idempotency.scope': 'every-post', 'hook-test.delivered': '/data/delivered' };
    const mock = openMock(profileWith({ ...shown, ...values }), options);
    const receiver = await openReceiver(async () => {
      await sleep(150);
      mock.clock.time += clockMs;
      return { status: 200 };
    });
    const { id } = (await mock.subscribe({ url: receiver.url })).values;
    const about = { siteID: 101, id };
    const send = async () => {
      const { envelope, values } = await mock.perform('testSubscription', about, mock.harbourKey);
      return [envelope.code, values.delivered];
    };
    return { mock, send, received: receiver.received };
  }

  test('waits for the target of a test message', async () => {
    const { mock, send, received } = await openTested({ 'idempotency.window': 10 }, { clockMs: 20_000 });
    expect(await Promise.all([send(), send(), send()])).toEqual(Array(3).fill([0, true]));
    mock.clock.time += 9_999;
    await send();
    expect(received).toHaveLength(1);
    mock.clock.time += 1;
    await send();
    expect(received).toHaveLength(2);
  });

  test('is refused until the target of a test message has answered', async () => {
    const { send, received } = await openTested({ 'idempotency.in-progress': 'refused' });
    const first = send();
    await sleep(120);
    expect([await send(), await first]).toEqual([
      [40903, undefined],
      [0, true],
    ]);
    expect([await send(), received.length]).toEqual([[0, true], 1]);
  });

  test('is a new call if the first one fails', async () => {
    const { mock, send, received } = await openTested({});
    vi.spyOn(mock.service.dispatcher, 'test').mockRejectedValueOnce(new Error('failed'));
    expect(await Promise.all([send(), send(), send()])).toEqual([
      [50000, undefined],
      [0, true],
      [0, true],
    ]);
    expect(received).toHaveLength(1);
  });

  test('does not wait for itself after an undone turn', async () => {
    let undoesNext = false;
    const engine = watchEngine(openSqlite(pathOfTest()), () => {
      if (!undoesNext) return;
      undoesNext = false;
      throw new StoreError('the store is busy', { isTransient: true });
    });
    const persist: OpenedWorld['persist'] = (world, log) => persistWith(engine, world, log).store;
    const { send } = await openTested({}, { store: { world: undefined, persist } });
    undoesNext = true;
    expect(await Promise.all([send(), send()])).toEqual(Array(2).fill([0, true]));
  });

  test('ignores a failed call', async () => {
    const { codeOf, harbourKey } = openMock(refusing);
    const publish = () => codeOf('publishSite', { siteID: 999, note: 'a' }, harbourKey);
    expect([await publish(), await publish()]).toEqual([40400, 40400]);
  });
});
