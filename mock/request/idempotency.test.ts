import { describe, expect, test } from 'vitest';
import { openMock, profileWith, subscriptionRequest, type TestMock } from '../testing/open-mock.ts';

/** The answers to a number of concurrent site creations. */
function createSites({ perform, harbourKey }: TestMock, names: readonly string[], token = harbourKey) {
  return Promise.all(names.map((name) => perform('createSite', { name }, token)));
}

/** The identifiers in them. */
async function create(...given: Parameters<typeof createSites>) {
  return (await createSites(...given)).map(({ values }) => values.id);
}

const fifty = Array.from({ length: 50 }, () => 'same');

test('50 concurrent creations of the same site create one site', async () => {
  const mock = openMock();
  expect(new Set(await create(mock, fifty))).toEqual(new Set([1001]));
  const { values } = await mock.perform('listSites', {}, mock.harbourKey);
  expect(values.total).toBe(3);
});

test.each([10, 30])('after a window of %i seconds another one begins', async (seconds) => {
  const mock = openMock(profileWith({ 'idempotency.window': seconds }));
  const ids = [];
  for (const wait of [0, seconds * 1000 - 1, 1, seconds * 1000 - 1]) {
    mock.clock.time += wait;
    ids.push(...(await create(mock, ['same'])));
  }
  expect(ids).toEqual([1001, 1001, 1002, 1002]);
});

test('another request, or the same of another tenant, is a new operation', async () => {
  const mock = openMock();
  const own = await create(mock, ['one', 'other', 'one']);
  const theirs = await create(mock, ['one'], mock.blumenKey);
  expect([...own, ...theirs]).toEqual([1001, 1002, 1001, 1003]);
});

test('a refused call is not remembered', async () => {
  const { perform, harbourKey, service } = openMock();
  const refused = await perform('publishSite', { siteID: 999, note: 'x' }, harbourKey);
  expect([refused.envelope.code, service.world.firstAnswers.size]).toEqual([40400, 0]);
});

test('a repeated publish returns the same version and causes one push', async () => {
  const { perform, harbourKey, service } = openMock();
  await perform('createSubscription', subscriptionRequest({ url: 'http://127.0.0.1:1/' }), harbourKey);
  const publish = async (note: string) =>
    (await perform('publishSite', { siteID: 101, note }, harbourKey)).values.version;
  const versions = [await publish('a'), await publish('a'), await publish('b')];
  expect(versions).toEqual([8, 8, 9]);
  await service.scheduler.settle();
  expect(service.world.deliveries.size).toBe(2);
});

test.each([
  ['new', false],
  ['same', true],
])('a repetition has a new trace_id or the first one, as the profile says: %s', async (value, isSame) => {
  const { perform, harbourKey } = openMock(profileWith({ 'idempotency.trace': value }));
  const traces = [];
  for (let count = 0; count < 2; count++)
    traces.push((await perform('createSite', { name: 'x' }, harbourKey)).envelope.trace_id);
  expect(traces[0] === traces[1]).toBe(isSame);
});

test.each([
  [{ 'idempotency.subscriptions': 'separate' }, 2],
  [{ 'idempotency.subscriptions': 'repeated' }, 1],
  // Another gap says how subscriptions are repeated.
  [{ 'idempotency.scope': 'every-post' }, 2],
])('with %j, the same subscription twice is %i', async (values, count) => {
  const { perform, harbourKey, service } = openMock(profileWith(values));
  for (let times = 0; times < 2; times++)
    await perform('createSubscription', subscriptionRequest(), harbourKey);
  expect(service.world.subscriptions.size).toBe(count);
});

describe('with a key in a header', () => {
  const profile = profileWith({
    'idempotency.repetition': 'key-header',
    'idempotency.key-header': 'X-Request-Key',
  });

  async function createWith({ app, harbourKey }: TestMock, key: string | undefined, name: string) {
    const response = await app.inject({
      method: 'POST',
      url: '/api/v1/tenant/sites',
      headers: {
        authorization: `Bearer ${harbourKey}`,
        ...(key !== undefined && { 'x-request-key': key }),
      },
      payload: { site_name: name },
    });
    return response.json().data.site_id;
  }

  test('the same key returns the first result, even for another request', async () => {
    const mock = openMock(profile);
    const ids = [];
    for (const [key, name] of [
      ['k1', 'a'],
      ['k1', 'b'],
      ['k2', 'a'],
      [undefined, 'a'],
      [undefined, 'a'],
    ] as const)
      ids.push(await createWith(mock, key, name));
    expect(ids).toEqual([1001, 1001, 1002, 1003, 1004]);
  });
});

test.each([
  ['counted', [0, 42900]],
  ['not-counted', [0, 0]],
])('repetitions of a publish are %s against its limit', async (value, codes) => {
  const { perform, harbourKey } = openMock(profileWith({ 'limits.repeats': value }));
  const publish = async (note: string) =>
    (await perform('publishSite', { siteID: 101, note }, harbourKey)).envelope.code;
  for (let count = 0; count < 9; count++) await publish('same');
  expect([await publish('same'), await publish('same')]).toEqual(codes);
});

describe('every POST', () => {
  const everyPost = profileWith({ 'idempotency.scope': 'every-post' });

  test('a login, a key and a test message are repeated within the window', async () => {
    const { perform, mei, harbourKey, service, clock } = openMock(everyPost);
    const logIn = async () => (await perform('login', { ...mei })).values.token;
    const tokens = [await logIn(), await logIn()];
    expect(tokens[0]).toBe(tokens[1]);
    const createKey = async () => (await perform('createKey', { name: 'k' }, harbourKey)).values.key;
    expect(await createKey()).toBe(await createKey());
    const request = subscriptionRequest({ url: 'http://127.0.0.1:1/' });
    const { id } = (await perform('createSubscription', request, harbourKey)).values;
    for (let count = 0; count < 2; count++)
      await perform('testSubscription', { siteID: 101, id }, harbourKey);
    expect(service.world.deliveries.size).toBe(1);
    clock.time += 30_000;
    expect(await logIn()).not.toBe(tokens[0]);
  });

  test('the same refresh with another token is another request', async () => {
    const { perform, mei, tom } = openMock(everyPost);
    const tokens = [];
    for (const user of [mei, tom]) tokens.push(String((await perform('login', { ...user })).values.token));
    const renewed = [];
    for (const token of [...tokens, ...tokens])
      renewed.push((await perform('refresh', {}, token)).values.token);
    expect(new Set(renewed).size).toBe(2);
    expect(renewed.slice(0, 2)).toEqual(renewed.slice(2));
  });
});

describe('a repetition of a call in progress', () => {
  const codesOf = async (mock: TestMock, names: readonly string[]) =>
    (await createSites(mock, names)).map(({ envelope }) => envelope.code);

  test('is refused if the profile says so, and gets the result afterwards', async () => {
    const mock = openMock(profileWith({ 'idempotency.in-progress': 'refused' }));
    expect((await codesOf(mock, ['a', 'a', 'b'])).toSorted((one, other) => one - other)).toEqual([
      0, 0, 40903,
    ]);
    expect(await codesOf(mock, ['a'])).toEqual([0]);
    expect((await mock.perform('listSites', {}, mock.harbourKey)).values.total).toBe(4);
  });

  test('waits for it otherwise, and the window begins when the call ends', async () => {
    const mock = openMock(profileWith({ 'idempotency.window': 10 }), {
      settings: { refusesPrivateTargets: false, habits: { creationMs: 200 } },
    });
    const startedAt = performance.now();
    expect(new Set(await create(mock, ['a', 'a']))).toEqual(new Set([1001]));
    expect(performance.now() - startedAt).toBeGreaterThan(195);
    mock.clock.time += 10_199;
    expect(await create(mock, ['a'])).toEqual([1001]);
    mock.clock.time += 1;
    expect(await create(mock, ['a'])).toEqual([1002]);
  });

  test('a call that fails is not in progress', async () => {
    const mock = openMock(profileWith({ 'idempotency.in-progress': 'refused' }));
    const publish = async () =>
      (await mock.perform('publishSite', { siteID: 999, note: 'a' }, mock.harbourKey)).envelope.code;
    expect([await publish(), await publish()]).toEqual([40400, 40400]);
  });
});
