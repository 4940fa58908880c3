import { expect, onTestFinished, test } from 'vitest';
import { loadProfile } from '../../openapi/profile.ts';
import { openMock, profileWith, subscriptionRequest, type TestMock } from '../testing/open-mock.ts';

test('lists the sites of the calling tenant, with names in any script', async () => {
  const { perform, harbourKey, blumenKey } = openMock();
  const harbour = await perform('listSites', {}, harbourKey);
  expect(harbour.mismatches).toEqual([]);
  expect(harbour.values).toEqual({
    list: [
      { id: 101, name: '海港咖啡馆' },
      { id: 102, name: 'Harbour Roastery' },
    ],
    total: 2,
  });
  expect((await perform('listSites', {}, blumenKey)).values).toEqual({
    list: [{ id: 201, name: 'Zoë’s Blumenladen' }],
    total: 1,
  });
});

test('a deleted site is gone with its subscriptions, others stay', async () => {
  const { perform, harbourKey, service } = openMock();
  await perform('createSubscription', subscriptionRequest(), harbourKey);
  const kept = await perform('createSubscription', subscriptionRequest({ siteID: 102 }), harbourKey);
  const deleted = await perform('deleteSite', { siteID: 101 }, harbourKey);
  expect([deleted.envelope.data, deleted.mismatches]).toEqual([{}, []]);
  expect((await perform('getSite', { siteID: 101 }, harbourKey)).envelope.code).toBe(40400);
  expect([...service.world.subscriptions.keys()]).toEqual([String(kept.values.id)]);
});

test.each(['getSite', 'deleteSite', 'listSubscriptions'] as const)(
  '%s: an unknown site and a foreign one are refused in the same way',
  async (id) => {
    const { perform, harbourKey, service } = openMock();
    const before = new Map(structuredClone([...service.world.sites]));
    const answers = [];
    for (const siteID of [201, 999, '0101', '101.0', 'x', '__proto__', '海']) {
      const { status, envelope } = await perform(id, { siteID }, harbourKey);
      answers.push([status, envelope.code, envelope.message.replace(JSON.stringify(String(siteID)), '…')]);
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
      new Set(['[404,40400,"there is no site … here"]']),
    );
    expect(new Map(service.world.sites)).toEqual(before);
  },
);

test('a profile may distinguish a foreign site from an unknown one', async () => {
  const { perform, harbourKey } = openMock(loadProfile('nested-201-uuid'));
  const refusals = [];
  for (const siteID of [201, 999]) {
    const { status, envelope } = await perform(
      'createSubscription',
      subscriptionRequest({ siteID }),
      harbourKey,
    );
    refusals.push([status, envelope.code]);
  }
  expect(refusals).toEqual([
    [403, 40300],
    [404, 40400],
  ]);
});

test('an operation without authentication that needs a tenant says so', async () => {
  const { perform } = openMock(
    profileWith({
      'operation.list-sites': {
        method: 'GET',
        path: '/sites',
        auth: 'none',
        list: '/data/list',
        total: '/data/total',
      },
    }),
  );
  expect((await perform('listSites')).envelope.code).toBe(40100);
});

const seededAt = '2026-01-01T00:00:00.000Z';

test('lists the contents of a site, drafts too, page by page', async () => {
  const { perform, harbourKey } = openMock();
  const { values, mismatches } = await perform('listContents', { siteID: 102 }, harbourKey);
  expect(mismatches).toEqual([]);
  expect(values).toMatchObject({
    list: [
      { id: 5, title: 'Single origin: Yunnan Baoshan', state: 'published', updated_at: seededAt },
      { id: 6, title: 'Wholesale price list', state: 'draft' },
    ],
    total: 2,
  });
  const { values: second } = await perform(
    'listContents',
    { siteID: 102, page: 2, page_size: 1 },
    harbourKey,
  );
  expect(second).toMatchObject({ list: [{ id: 6 }], total: 2 });
});

test('reads one content, as it was last updated', async () => {
  const { perform, harbourKey } = openMock();
  const call = { siteID: 102, contentID: 6 };
  await perform('updateContent', { ...call, title: 'Prices', text: 'Ask.' }, harbourKey);
  const { values, mismatches } = await perform('getContent', call, harbourKey);
  expect([values, mismatches]).toEqual([
    { id: 6, title: 'Prices', text: 'Ask.', state: 'draft', updated_at: '2026-01-02T03:04:05.000Z' },
    [],
  ]);
  expect((await perform('getContent', { siteID: 101, contentID: 6 }, harbourKey)).envelope.code).toBe(40402);
});

test('says how a publish goes, and how it ended', async () => {
  const { perform, harbourKey, service } = openMock(profileWith({ 'publish.duration': 5 }));
  const start = service.clock.now();
  const states = async () => {
    const answers = [8, 9, 10].map((version) => perform('getPublish', { siteID: 101, version }, harbourKey));
    return (await Promise.all(answers)).map(({ values, envelope }) => [
      envelope.code,
      values.state,
      values.pages,
    ]);
  };
  await perform('publishSite', { siteID: 101, note: 'a' }, harbourKey);
  await perform('failPublish', { siteID: 101, note: 'b' }, harbourKey);
  expect(await states()).toEqual([
    [0, 'running', undefined],
    [0, 'running', undefined],
    [40402, undefined, undefined],
  ]);
  await service.scheduler.advance(start + 5000);
  expect((await states()).slice(0, 2)).toEqual([
    [0, 'complete', 4],
    [0, 'failed', undefined],
  ]);
});

const publish = ({ perform, harbourKey }: TestMock, note: string, siteID = 101) =>
  perform('publishSite', { siteID, note }, harbourKey);

test('publishing an unchanged site gives the version there is, if the profile says so', async () => {
  const mock = openMock(profileWith({ 'publish.unchanged': 'same-version' }));
  const version = async (note: string) => (await publish(mock, note)).values.version;
  const change = (id: 'createContent' | 'updateContent', values: object) =>
    mock.perform(id, { siteID: 101, title: 'T', text: 't', ...values }, mock.harbourKey);
  expect([await version('a'), await version('b')]).toEqual([8, 8]);
  const { id: contentID } = (await change('createContent', {})).values;
  expect([await version('c'), await version('d')]).toEqual([9, 9]);
  await change('updateContent', { contentID });
  expect(await version('e')).toBe(10);
});

test('after a publish that failed the next one makes a new version', async () => {
  const mock = openMock(profileWith({ 'publish.unchanged': 'same-version' }));
  await publish(mock, 'a');
  await mock.perform('failPublish', { siteID: 101, note: 'b' }, mock.harbourKey);
  expect((await publish(mock, 'c')).values.version).toBe(10);
});

test('a second publish is refused while one is under way and for 5 seconds, on the same site', async () => {
  const mock = openMock(profileWith({ 'publish.concurrent': 'refused', 'publish.duration': 8 }));
  const codes = [];
  for (const [note, siteID] of [
    ['a', 101],
    ['a', 101],
    ['b', 101],
    ['b', 102],
  ] as const)
    codes.push((await publish(mock, note, siteID)).envelope.code);
  expect(codes).toEqual([0, 0, 40902, 0]);
  await mock.service.scheduler.advance(mock.clock.time + 7_999);
  expect((await publish(mock, 'c')).envelope.code).toBe(40902);
  await mock.service.scheduler.advance(mock.clock.time + 1);
  expect((await publish(mock, 'd')).envelope.code).toBe(0);
});

test('a refused publish does not count towards the ten a minute', async () => {
  const mock = openMock(profileWith({ 'publish.concurrent': 'refused' }));
  for (let count = 0; count < 12; count++) await publish(mock, `note ${count}`);
  await mock.service.scheduler.advance(mock.clock.time + 5_000);
  expect((await publish(mock, 'last')).envelope.code).toBe(0);
});

test('a publish ends when its time is over', async () => {
  const mock = openMock(profileWith({ 'publish.duration': 35 }));
  await publish(mock, 'a');
  const state = () => [...mock.service.world.publications.values()][0]?.state;
  await mock.service.scheduler.advance(mock.clock.time + 34_999);
  expect(state()).toBe('running');
  await mock.service.scheduler.advance(mock.clock.time + 1);
  expect(state()).toBe('complete');
});

test('a synchronous publish is answered when it ends', async () => {
  const profile = profileWith({ 'publish.mode': 'synchronous', 'publish.duration': 1 });
  const running = openMock(profile, { clock: 'real' });
  onTestFinished(() => running.app.close());
  running.service.world.clock = { mode: 'real', offset: 0 };
  const startedAt = performance.now();
  await publish(running, 'a');
  expect(performance.now() - startedAt).toBeGreaterThan(990);
  await running.service.scheduler.settle();
  expect([...running.service.world.publications.values()][0]?.state).toBe('complete');
  const stopped = openMock(profile);
  await publish(stopped, 'a');
  expect([...stopped.service.world.publications.values()][0]?.state).toBe('complete');
});

test('the list of keys shows those of the user alone, if the profile says so, and the five count all', async () => {
  const mock = openMock(profileWith({ 'keys.list-scope': 'own' }));
  const { perform, mei, tom, harbourKey } = mock;
  const tokens = [];
  for (const user of [mei, tom]) tokens.push(String((await perform('login', { ...user })).values.token));
  const [meis, toms] = tokens;
  const create = async (token: string | undefined) =>
    (await perform('createKey', { name: 'k' }, token)).envelope.code;
  expect([await create(toms), await create(toms), await create(meis)]).toEqual([0, 0, 0]);
  const total = async (token: string | undefined) => (await perform('listKeys', {}, token)).values.total;
  // The key of the demo world is its first user's.
  expect([await total(meis), await total(toms), await total(harbourKey)]).toEqual([2, 2, 2]);
  expect([await create(meis), await create(meis)]).toEqual([0, 40900]);
});
