import { expect, test } from 'vitest';
import { openMock } from '../testing/open-mock.ts';
import type { PushMessage } from '../webhooks/render.ts';

/** A mock whose pushes are recorded and not sent. */
function open(...options: Parameters<typeof openMock>) {
  const mock = openMock(...options);
  const pushes: PushMessage[] = [];
  mock.service.dispatcher.emit = (push) => {
    pushes.push(push);
    return [];
  };
  const told = () => pushes.map(({ event, site, data }) => [event, site.id, data]);
  return { ...mock, told };
}

test.each([
  [101, '999'],
  [101, '01'],
  [101, '1e2'],
  [101, 'x'],
  [101, '__proto__'],
  // It is another site's of the tenant.
  [101, '6'],
])('on site %i there is no content %s', async (siteID, contentID) => {
  const { perform, harbourKey } = open();
  const { envelope } = await perform('publishContent', { siteID, contentID }, harbourKey);
  expect([envelope.code, envelope.message]).toEqual([40402, `there is no content "${contentID}" here`]);
});

test('publishing is answered with the version, and ends in publish.complete with message, pages and version', async () => {
  const { perform, harbourKey, service, told } = open();
  const versionOf = async () => (await perform('getSite', { siteID: 102 }, harbourKey)).values.version;
  const before = await versionOf();
  const { version } = (await perform('publishSite', { siteID: 102, note: 'a' }, harbourKey)).values;
  expect(version).toBe(Number(before) + 1);
  // Where a store keeps the world, it ends in the turn of the call.
  if (!service.store) expect(told()).toEqual([]);
  await service.scheduler.settle();
  // One content of the site is published, and it has a front page.
  expect(told()).toEqual([['publish.complete', 102, { message: expect.any(String), pages: 2, version }]]);
  expect(await versionOf()).toBe(version);
});

test('a publish that fails ends in publish.failed, and the published version stays', async () => {
  const { perform, harbourKey, service, told } = open();
  const versionOf = async () => (await perform('getSite', { siteID: 101 }, harbourKey)).values.version;
  const before = await versionOf();
  await perform('failPublish', { siteID: 101, note: 'a' }, harbourKey);
  await service.scheduler.settle();
  expect(told()).toEqual([['publish.failed', 101, { message: expect.stringContaining('failed') }]]);
  expect(await versionOf()).toBe(before);
  const { version: next } = (await perform('publishSite', { siteID: 101, note: 'b' }, harbourKey)).values;
  expect(next).toBe(Number(before) + 2);
});

test('importing creates a site with the given name and source', async () => {
  const { perform, harbourKey, service } = open();
  const site = { name: '旧站', source: 'https://old.example/' };
  const { id } = (await perform('importSite', site, harbourKey)).values;
  expect(service.world.sites.get(Number(id))).toMatchObject(site);
});

test('the AI answers the same prompt with the same text', async () => {
  const { perform, harbourKey } = open();
  const ask = async (prompt: string) =>
    (await perform('askAi', { siteID: 101, prompt }, harbourKey)).values.text;
  const [first, second, other] = [await ask('a'), await ask('a'), await ask('b')];
  expect([first === second, first === other]).toEqual([true, false]);
});
