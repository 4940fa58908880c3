import { expect, test } from 'vitest';
import { loadProfile } from '../../openapi/profile.ts';
import { openMock, profileWith, subscriptionRequest } from '../testing/open-mock.ts';

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

test.each(['default', 'always-200-camel-case', 'nested-201-uuid'])(
  '%s: a created site is listed',
  async (name) => {
    const { perform, harbourKey } = openMock(loadProfile(name));
    const created = await perform('createSite', { name: '新站点' }, harbourKey);
    expect(created.mismatches).toEqual([]);
    const { list, total } = (await perform('listSites', {}, harbourKey)).values;
    expect(total).toBe(3);
    expect(list).toContainEqual({ id: created.values.id, name: '新站点' });
  },
);

test('reads a site', async () => {
  const { perform, harbourKey } = openMock();
  expect((await perform('getSite', { siteID: 101 }, harbourKey)).values).toEqual({
    id: 101,
    name: '海港咖啡馆',
    version: 7,
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
