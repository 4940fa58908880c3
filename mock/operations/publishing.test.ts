import { expect, onTestFinished, test } from 'vitest';
import { openMock, profileWith, type TestMock } from '../testing/open-mock.ts';

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
