import { expect, onTestFinished, test } from 'vitest';
import { loadProfile } from '../../openapi/profile.ts';
import { openMock, profileWith, type TestMock } from '../testing/open-mock.ts';
import type { PushMessage } from '../webhooks/render.ts';
import { openSubscribed } from '../webhooks/testing.ts';

/** A mock that records its pushes instead of sending them. */
function open(...options: Parameters<typeof openMock>) {
  const mock = openMock(...options);
  const pushes: PushMessage[] = [];
  mock.service.dispatcher.emit = (push) => {
    pushes.push(push);
    return [];
  };
  const pushed = () => pushes.map(({ event, site, data }) => [event, site.id, data]);
  return { ...mock, pushed };
}

test('pushes content.publish if the creation publishes', async () => {
  const { perform, harbourKey, service, pushed } = open(loadProfile('flags-and-cursors'));
  const content = { siteID: 101, title: '菜单', text: '' };
  const { values } = await perform('createContent', content, harbourKey);
  expect(service.world.contents.get(Number(values.id))?.state).toBe('published');
  expect(pushed().map(([event]) => event)).toEqual(['content.publish']);
});

test('a publish answers with the version, and ends with publish.complete', async () => {
  const { perform, harbourKey, service, pushed } = open();
  const versionOf = async () => (await perform('getSite', { siteID: 102 }, harbourKey)).values.version;
  const before = await versionOf();
  const { version } = (await perform('publishSite', { siteID: 102, note: 'a' }, harbourKey)).values;
  expect(version).toBe(Number(before) + 1);
  // With a store, the publish ends in the turn of the call.
  if (!service.store) expect(pushed()).toEqual([]);
  await service.scheduler.settle();
  // The front page and one published content.
  expect(pushed()).toEqual([['publish.complete', 102, { message: expect.any(String), pages: 2, version }]]);
  expect(await versionOf()).toBe(version);
});

test('a failed publish ends with publish.failed, and the published version stays', async () => {
  const { perform, harbourKey, service, pushed } = open();
  const versionOf = async () => (await perform('getSite', { siteID: 101 }, harbourKey)).values.version;
  const before = await versionOf();
  await perform('failPublish', { siteID: 101, note: 'a' }, harbourKey);
  await service.scheduler.settle();
  expect(pushed()).toEqual([['publish.failed', 101, { message: expect.stringContaining('failed') }]]);
  expect(await versionOf()).toBe(before);
  const { version: next } = (await perform('publishSite', { siteID: 101, note: 'b' }, harbourKey)).values;
  expect(next).toBe(Number(before) + 2);
});

test('an import creates a site with the given name and source', async () => {
  const { perform, harbourKey, service } = open();
  const site = { name: '旧站', source: 'https://old.example/' };
  const { id } = (await perform('importSite', site, harbourKey)).values;
  expect(service.world.sites.get(Number(id))).toMatchObject(site);
});

test('the AI call answers the same prompt with the same text', async () => {
  const { perform, harbourKey } = open();
  const ask = async (prompt: string) =>
    (await perform('askAi', { siteID: 101, prompt }, harbourKey)).values.text;
  const [first, second, other] = [await ask('a'), await ask('a'), await ask('b')];
  expect([first === second, first === other]).toEqual([true, false]);
});

test('deletes a site with its subscriptions, but no others', async () => {
  const { perform, codeOf, subscribe, harbourKey, service } = openMock();
  await subscribe();
  const other = await subscribe({ siteID: 102 });
  const deleted = await perform('deleteSite', { siteID: 101 }, harbourKey);
  expect([deleted.envelope.data, deleted.mismatches]).toEqual([{}, []]);
  expect(await codeOf('getSite', { siteID: 101 }, harbourKey)).toBe(40400);
  expect([...service.world.subscriptions.keys()]).toEqual([String(other.values.id)]);
});

const bySite = ['getSite', 'deleteSite', 'listSubscriptions'] as const;

test.each(bySite)('%s: refuses an unknown and a foreign site alike', async (id) => {
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
});

test('refuses an operation without authentication that needs a tenant', async () => {
  const call = { method: 'GET', path: '/sites', auth: 'none', list: '/data/list', total: '/data/total' };
  expect(await openMock(profileWith({ 'operation.list-sites': call })).codeOf('listSites')).toBe(40100);
});

test('shows contents as last updated, including drafts', async () => {
  const { perform, harbourKey } = openMock();
  const call = { siteID: 102, contentID: 6 };
  await perform('updateContent', { ...call, title: 'Prices', text: 'Ask.' }, harbourKey);
  const updated = { id: 6, title: 'Prices', state: 'draft', updated_at: '2026-01-02T03:04:05.000Z' };
  const { values, mismatches } = await perform('getContent', call, harbourKey);
  expect([values, mismatches]).toEqual([{ ...updated, text: 'Ask.' }, []]);
  const listed = await perform('listContents', { siteID: 102 }, harbourKey);
  const other = { id: 5, state: 'published', updated_at: '2026-01-01T00:00:00.000Z' };
  expect([listed.values, listed.mismatches]).toMatchObject([{ list: [other, updated], total: 2 }, []]);
  const { envelope } = await perform('getContent', { ...call, siteID: 101 }, harbourKey);
  expect(envelope).toMatchObject({ code: 40402, message: 'there is no content "6" here' });
});

const publish = ({ perform, harbourKey }: TestMock, note: string, siteID = 101) =>
  perform('publishSite', { siteID, note }, harbourKey);

test('shows the state of a publish', async () => {
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

test('publishing an unchanged site returns the same version, if the profile says so', async () => {
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
  // The publish after a failed one gets a new version.
  expect(await version('g')).toBe(12);
});

test('refuses a second publish of a site while one runs and for 5 seconds, if the profile says so', async () => {
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
] as const)('on a %s clock, a synchronous publish answers after %i ms', async (mode, ms) => {
  const profile = profileWith({ 'publish.mode': 'synchronous', 'publish.duration': 1 });
  const mock = openMock(profile, { clock: mode });
  onTestFinished(() => mock.app.close());
  if (mode === 'real') mock.service.world.clock = { mode, offset: 0 };
  const startedAt = performance.now();
  await publish(mock, 'a');
  expect(performance.now() - startedAt).toBeGreaterThan(ms);
  if (mode === 'real') await mock.service.scheduler.settle();
  expect([...mock.service.world.publications.values()][0]?.state).toBe('complete');
});

test('lists only the keys of the user, if the profile says so; the quota counts all', async () => {
  const { perform, codeOf, logIn, mei, tom, harbourKey } = openMock(
    profileWith({ 'keys.list-scope': 'own' }),
  );
  const [meis, toms] = [await logIn(mei), await logIn(tom)];
  const create = (token: string) => codeOf('createKey', { name: 'k' }, token);
  expect([await create(toms), await create(toms), await create(meis)]).toEqual([0, 0, 0]);
  // The key of the demo world belongs to its first user.
  for (const token of [meis, toms, harbourKey])
    expect((await perform('listKeys', {}, token)).values.total).toBe(2);
  expect([await create(meis), await create(meis)]).toEqual([0, 40900]);
});

const list = { method: 'GET', path: '/s', 'item.id': '/id' };

/** Lists one page of 45 sites. */
async function pageOf(call: object, values: Record<string, unknown>) {
  const mock = openMock(profileWith({ 'operation.list-sites': { ...list, ...call } }));
  const { sites } = mock.service.world;
  const [, example] = [...sites][0] ?? expect.fail('there is no site');
  const { tenantId } = example;
  for (const [id, site] of sites) if (site.tenantId === tenantId) sites.delete(id);
  for (let id = 1_001; id <= 1_045; id++) sites.set(id, { ...example, id });
  const { envelope, values: answer } = await mock.perform('listSites', values, mock.harbourKey);
  const ids = (answer.list as { id: number }[] | undefined)?.map(({ id }) => id - 1_000) ?? [];
  const { code, message } = envelope;
  return { code, message, total: answer.total, next: answer.next, range: [ids[0], ids.at(-1)] };
}

const byPage = { query: { p: '{page}', size: '{page_size}' } };
const byCursor = { query: { after: '{cursor}', take: '{limit}' }, next: '/data/page/next' };
const byOffset = { query: { skip: '{offset}', take: '{limit}' } };

test.for([
  [{}, {}, [1, 45]],
  [byPage, {}, [1, 20]],
  [byPage, { page: 3 }, [41, 45]],
  [byPage, { page: 2, page_size: 5 }, [6, 10]],
  [byPage, { page: 4 }, [undefined, undefined]],
  [byOffset, {}, [1, 20]],
  [byOffset, { offset: 1, limit: 1 }, [2, 2]],
  [byOffset, { offset: 45 }, [undefined, undefined]],
  [byCursor, { limit: 45 }, [1, 45]],
  [{ method: 'POST', body: { from: '{offset}' } }, { offset: 20 }, [21, 40]],
] as const)('a list called by %j answers %j with %j', async ([call, values, range]) => {
  expect(await pageOf(call, values)).toMatchObject({ code: 0, total: 45, next: undefined, range });
});

test('each page except the last has the cursor of the next one', async () => {
  const first = await pageOf(byCursor, {});
  const second = await pageOf(byCursor, { cursor: first.next });
  const third = await pageOf(byCursor, { cursor: second.next });
  const ranges = [first, second, third].map(({ range }) => range.join('-'));
  expect([ranges, third.next]).toEqual([['1-20', '21-40', '41-45'], undefined]);
});

test.for([
  [byCursor, { cursor: 'x' }, 'the cursor'],
  [byOffset, { offset: -1 }, 'the query parameter "skip"'],
  [byOffset, { limit: 0 }, 'the query parameter "take"'],
  [byOffset, { offset: 'two' }, 'the query parameter "skip"'],
  [byPage, { page: '0' }, 'the query parameter "p"'],
  [byPage, { page: '1.5' }, 'the query parameter "p"'],
] as const)('a list called by %j refuses %j', async ([call, values, place]) => {
  const { code, message } = await pageOf(call, values);
  expect([code, message]).toEqual([40002, expect.stringContaining(`${place}: expected`)]);
});

test('lists deliveries, newest first, with every attempt', async () => {
  const mock = await openSubscribed(() => ({ status: 503, body: 'busy' }));
  mock.update(2);
  await mock.wait(60_000);
  const about = { siteID: 101, subscriptionID: mock.id };
  const { values, mismatches } = await mock.perform('listDeliveries', about, mock.harbourKey);
  const attempt = { status: 503, answer: 'busy', duration_ms: 0 };
  const first = {
    ...{ id: 1, event: 'content.update', state: 'pending' },
    ...{ created_at: '2026-01-02T03:04:05.000Z', next_attempt_at: '2026-01-02T03:10:05.000Z' },
    attempts: ['04', '05'].map((minute) => ({ ...attempt, at: `2026-01-02T03:${minute}:05.000Z` })),
  };
  expect([mismatches, values]).toEqual([[], { total: 2, list: [{ ...first, id: 2 }, first] }]);
});
