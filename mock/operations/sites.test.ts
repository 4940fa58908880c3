import { expect, onTestFinished, test } from 'vitest';
import { openMock, profileWith, subscriptionRequest, type TestMock } from '../testing/open-mock.ts';

test('a deleted site is gone with its subscriptions, others stay', async () => {
  const { perform, codeOf, harbourKey, service } = openMock();
  await perform('createSubscription', subscriptionRequest(), harbourKey);
  const kept = await perform('createSubscription', subscriptionRequest({ siteID: 102 }), harbourKey);
  const deleted = await perform('deleteSite', { siteID: 101 }, harbourKey);
  expect([deleted.envelope.data, deleted.mismatches]).toEqual([{}, []]);
  expect(await codeOf('getSite', { siteID: 101 }, harbourKey)).toBe(40400);
  expect([...service.world.subscriptions.keys()]).toEqual([String(kept.values.id)]);
});

test.each(['getSite', 'deleteSite', 'listSubscriptions'] as const)(
  '%s: an unknown site and a foreign one are refused in the same way',
  async (id) => {
    const { perform, harbourKey, service } = openMock();
    const before = new Map(structuredClone([...service.world.sites]));
    for (const siteID of [201, 999, '0101', '101.0', 'x', '__proto__', '海']) {
      const { status, envelope } = await perform(id, { siteID }, harbourKey);
      expect([status, envelope]).toMatchObject([
        404,
        { code: 40400, message: `there is no site "${siteID}" here` },
      ]);
    }
    expect(new Map(service.world.sites)).toEqual(before);
  },
);

test('an operation without authentication that needs a tenant says so', async () => {
  const call = { method: 'GET', path: '/sites', auth: 'none', list: '/data/list', total: '/data/total' };
  expect(await openMock(profileWith({ 'operation.list-sites': call })).codeOf('listSites')).toBe(40100);
});

test('contents are shown as they were last updated, drafts too', async () => {
  const { perform, codeOf, harbourKey } = openMock();
  const call = { siteID: 102, contentID: 6 };
  await perform('updateContent', { ...call, title: 'Prices', text: 'Ask.' }, harbourKey);
  const updated = { id: 6, title: 'Prices', state: 'draft', updated_at: '2026-01-02T03:04:05.000Z' };
  const { values, mismatches } = await perform('getContent', call, harbourKey);
  expect([values, mismatches]).toEqual([{ ...updated, text: 'Ask.' }, []]);
  const listed = await perform('listContents', { siteID: 102 }, harbourKey);
  const other = { id: 5, state: 'published', updated_at: '2026-01-01T00:00:00.000Z' };
  expect([listed.values, listed.mismatches]).toMatchObject([{ list: [other, updated], total: 2 }, []]);
  expect(await codeOf('getContent', { siteID: 101, contentID: 6 }, harbourKey)).toBe(40402);
});

const publish = ({ perform, harbourKey }: TestMock, note: string, siteID = 101) =>
  perform('publishSite', { siteID, note }, harbourKey);

test('says how a publish goes, and how it ended', async () => {
  const mock = openMock(profileWith({ 'publish.duration': 5 }));
  const { perform, harbourKey, service, clock } = mock;
  const stateOf = async (version: number) => {
    const { values, envelope } = await perform('getPublish', { siteID: 101, version }, harbourKey);
    return [envelope.code, values.state, values.pages];
  };
  await publish(mock, 'a');
  await perform('failPublish', { siteID: 101, note: 'b' }, harbourKey);
  await service.scheduler.advance(clock.time + 4_999);
  expect(await stateOf(8)).toEqual([0, 'running', undefined]);
  expect(await stateOf(9)).toEqual([0, 'running', undefined]);
  expect(await stateOf(10)).toEqual([40402, undefined, undefined]);
  await service.scheduler.advance(clock.time + 1);
  expect(await stateOf(8)).toEqual([0, 'complete', 4]);
  expect(await stateOf(9)).toEqual([0, 'failed', undefined]);
});

test('publishing an unchanged site gives the version there is, if the profile says so', async () => {
  const mock = openMock(profileWith({ 'publish.unchanged': 'same-version' }));
  const { perform, harbourKey } = mock;
  const version = async (note: string) => (await publish(mock, note)).values.version;
  expect([await version('a'), await version('b')]).toEqual([8, 8]);
  const content = { siteID: 101, title: 'T', text: 't' };
  const { id: contentID } = (await perform('createContent', content, harbourKey)).values;
  expect([await version('c'), await version('d')]).toEqual([9, 9]);
  await perform('updateContent', { ...content, contentID }, harbourKey);
  expect(await version('e')).toBe(10);
  await perform('failPublish', { siteID: 101, note: 'f' }, harbourKey);
  // After a publish that failed the next one makes a new version.
  expect(await version('g')).toBe(12);
});

test('a second publish is refused while one is under way and for 5 seconds, on the same site', async () => {
  const mock = openMock(profileWith({ 'publish.concurrent': 'refused', 'publish.duration': 8 }));
  const code = async (note: string, siteID?: number) => (await publish(mock, note, siteID)).envelope.code;
  expect([await code('a'), await code('a'), await code('b'), await code('b', 102)]).toEqual([0, 0, 40902, 0]);
  await mock.service.scheduler.advance(mock.clock.time + 7_999);
  expect(await code('c')).toBe(40902);
  await mock.service.scheduler.advance(mock.clock.time + 1);
  expect(await code('d')).toBe(0);
});

test.each([
  ['real', 990],
  ['manual', 0],
] as const)(
  'by a %s clock, a synchronous publish of a second is answered when it ends, after %i ms',
  async (mode, ms) => {
    const profile = profileWith({ 'publish.mode': 'synchronous', 'publish.duration': 1 });
    const mock = openMock(profile, { clock: mode });
    onTestFinished(() => mock.app.close());
    if (mode === 'real') mock.service.world.clock = { mode, offset: 0 };
    const startedAt = performance.now();
    await publish(mock, 'a');
    expect(performance.now() - startedAt).toBeGreaterThan(ms);
    if (mode === 'real') await mock.service.scheduler.settle();
    expect([...mock.service.world.publications.values()][0]?.state).toBe('complete');
  },
);

test('the list of keys shows those of the user alone, if the profile says so, and the five count all', async () => {
  const { perform, codeOf, logIn, mei, tom, harbourKey } = openMock(
    profileWith({ 'keys.list-scope': 'own' }),
  );
  const [meis, toms] = [await logIn(mei), await logIn(tom)];
  const create = (token: string) => codeOf('createKey', { name: 'k' }, token);
  expect([await create(toms), await create(toms), await create(meis)]).toEqual([0, 0, 0]);
  // The key of the demo world is its first user's.
  for (const token of [meis, toms, harbourKey])
    expect((await perform('listKeys', {}, token)).values.total).toBe(2);
  expect([await create(meis), await create(meis)]).toEqual([0, 40900]);
});
