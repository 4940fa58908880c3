import { expect, test } from 'vitest';
import { listenControl, openControl } from '../testing/open-control.ts';
import { listOf } from './show.ts';

const seededAt = '2026-01-01T00:00:00.000Z';

test('lists the sites of all tenants or of one', async () => {
  const { call } = openControl();
  const { body } = await call('GET /sites');
  const row = { id: 101, name: '海港咖啡馆', tenant: 'Harbour Café', version: 7, created_at: seededAt };
  expect(body).toEqual({ sites: [row, expect.anything(), expect.objectContaining({ id: 201 })], total: 3 });
  const { body: own } = await call('GET /sites?tenant=Blumen%20Zo%C3%AB');
  expect(own).toMatchObject({ sites: [{ id: 201, tenant: 'Blumen Zoë' }], total: 1 });
  const totals = { contents: 4, comments: 2 };
  expect((await call('GET /sites/101')).body).toMatchObject({ name: row.name, tenant: row.tenant, totals });
});

test('lists the contents of a site, including drafts', async () => {
  const { call, perform, harbourKey } = openControl();
  await perform('createContent', { siteID: 102, title: 'Harvest', text: 'Soon.' }, harbourKey);
  const { body } = await call('GET /sites/102/contents?order=newest');
  const updated_at = '2026-01-02T03:04:05.000Z';
  const harvest = { id: 8, site_id: 102, title: 'Harvest', text: 'Soon.', state: 'draft', updated_at };
  expect(body).toMatchObject({ contents: [harvest, {}, {}], total: 3 });
});

test('lists the submissions and comments of one site', async () => {
  const { call } = openControl();
  const order = { form: 'bestellung', fields: { strauß: 'Ranunkeln', anzahl: 2 }, at: seededAt };
  const submissions = [{ id: 4, site_id: 201, ...order }];
  expect((await call('GET /sites/201/submissions')).body).toEqual({ submissions, total: 1 });
  const comment = { author: 'Ana', text: 'Do you ship to Lisbon?', at: seededAt };
  const comments = [{ id: 3, site_id: 102, ...comment }];
  expect((await call('GET /sites/102/comments')).body).toEqual({ comments, total: 1 });
});

test('lists publishes with their state', async () => {
  const { call, perform, harbourKey } = openControl();
  await perform('publishSite', { siteID: 101, note: 'spring' }, harbourKey);
  await perform('failPublish', { siteID: 101, note: 'x' }, harbourKey);
  await call('POST /clock', { advance: 'PT1M' });
  const { body } = await call('GET /sites/101/publications');
  const at = '2026-01-02T03:04:05.000Z';
  expect(body).toEqual({
    publications: [
      { id: 1, site_id: 101, version: 8, note: 'spring', state: 'complete', started_at: at, pages: 4 },
      { id: 2, site_id: 101, version: 9, note: 'x', state: 'failed', started_at: at },
    ],
    total: 2,
  });
});

test('lists subscriptions without their secrets', async () => {
  const { call, subscribe } = openControl();
  const url = 'https://hooks.example/robot?access_token=abc123';
  await subscribe({ url, secret: 'correct-horse' });
  const { body, text } = await call('GET /sites/101/subscriptions');
  const common = { id: 1, site_id: 101, events: ['publish.complete'], channel: 'custom' };
  expect(body).toMatchObject({ subscriptions: [{ ...common, has_secret: true }], total: 1 });
  expect(text).not.toMatch(/abc123|correct-horse/);
});

test('pages deliveries, requests and messages by 100', async () => {
  const { call, perform, subscribe, harbourKey, inboxUrl, control } = await listenControl();
  await subscribe({ url: inboxUrl, events: ['form.submit'] });
  for (let count = 0; count < 101; count++) control.causeEvent({ event: 'form.submit', site_id: 101 });
  for (let count = 0; count < 100; count++) await perform('listSites', {}, harbourKey);
  await control.drain();
  const pagesOf = async (path: string, member: string) => {
    const { body } = await call<Record<string, unknown[]>>(`GET ${path}`);
    const { body: rest } = await call<Record<string, unknown[]>>(`GET ${path}?cursor=${body.next}`);
    return [body[member]?.length, body.next, rest[member]?.length, rest.next];
  };
  const pages = [100, 100, 1, undefined];
  expect(await pagesOf('/deliveries', 'deliveries')).toEqual(pages);
  expect(await pagesOf('/requests', 'requests')).toEqual(pages);
  expect(await pagesOf('/inbox/ci/messages', 'messages')).toEqual(pages);
  expect(control.inbox('ci').messages()).toMatchObject({ received: 101, dropped: 0 });
});

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test.each([
  ['100 entries on one page', numbers(100), {}, numbers(100), undefined],
  ['the newest first', numbers(5), { order: 'newest', limit: 2 }, [5, 4], 4],
  [
    'the second page, newest first',
    numbers(5),
    { order: 'newest', limit: 3, cursor: 4 },
    [3, 2, 1],
    undefined,
  ],
  ['no shift by dropped entries', [4, 5, 6], { limit: 3, cursor: 3 }, [4, 5, 6], undefined],
  ['entries in another order, as after a tenant reset', [3, 1, 2], { limit: 2 }, [1, 2], 2],
  ['an empty list', [], { limit: 1 }, [], undefined],
] as const)('lists %s', (_case, all, page, shown, next) => {
  const entries = all.map((id) => ({ id }));
  const listed = listOf('all', entries, page, ({ id }) => id);
  expect(listed).toEqual({ all: shown, total: all.length, ...(next !== undefined && { next }) });
});
