import { expect, test } from 'vitest';
import { openMock, openReceiver, profileWith, subscriptionRequest } from '../testing/open-mock.ts';

const list = { method: 'GET', path: '/s', 'item.id': '/id' };

/** The identifiers of the sites on a page, of 45 in all, and what the answer says of others. */
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
  [byOffset, { offset: 40 }, [41, 45]],
  [byOffset, { offset: 1, limit: 1 }, [2, 2]],
  [byOffset, { offset: 45 }, [undefined, undefined]],
  [byCursor, { limit: 45 }, [1, 45]],
  [{ method: 'POST', body: { from: '{offset}' } }, { offset: 20 }, [21, 40]],
] as const)('of a list that is called by %j, %j gives %j', async ([call, values, range]) => {
  expect(await pageOf(call, values)).toMatchObject({ code: 0, total: 45, next: undefined, range });
});

test('each page has the cursor of the next one, and the last one has none', async () => {
  const first = await pageOf(byCursor, {});
  const second = await pageOf(byCursor, { cursor: first.next });
  const third = await pageOf(byCursor, { cursor: second.next });
  expect([first.range, second.range, third.range]).toEqual([
    [1, 20],
    [21, 40],
    [41, 45],
  ]);
  expect(third.next).toBeUndefined();
});

test.for([
  [byCursor, { cursor: 'x' }, 'the cursor'],
  [byOffset, { offset: -1 }, 'the query parameter "skip"'],
  [byOffset, { limit: 0 }, 'the query parameter "take"'],
  [byOffset, { offset: 'two' }, 'the query parameter "skip"'],
  [byPage, { page: '0' }, 'the query parameter "p"'],
  [byPage, { page: '1.5' }, 'the query parameter "p"'],
] as const)('a list that is called by %j is not given for %j', async ([call, values, place]) => {
  const { code, message } = await pageOf(call, values);
  expect([code, message]).toEqual([40002, expect.stringContaining(`${place}: expected`)]);
});

test('content that its creation publishes is pushed at once', async () => {
  const create = { method: 'POST', path: '/c/{siteID}', body: { t: '{title}' }, id: '/data/id' };
  const publish = { by: 'create-content' };
  const mock = openMock(
    profileWith({ 'operation.create-content': create, 'operation.publish-content': publish }),
  );
  const events: string[] = [];
  mock.service.dispatcher.emit = ({ event }) => {
    events.push(event);
    return [];
  };
  const { values } = await mock.perform('createContent', { siteID: 101, title: '菜单' }, mock.harbourKey);
  expect(mock.service.world.contents.get(Number(values.id))?.state).toBe('published');
  expect(events).toEqual(['content.publish']);
});

test('shows what was pushed, newest first, with every attempt', async () => {
  const receiver = await openReceiver(() => ({ status: 503, body: 'busy' }));
  const mock = openMock();
  const { perform, harbourKey, service, clock } = mock;
  const request = subscriptionRequest({ url: receiver.url, events: ['form.submit'] });
  await perform('createSubscription', request, harbourKey);
  for (const form of ['first', 'second']) await perform('submitForm', { siteID: 101, form, fields: {} });
  await service.scheduler.advance(clock.time + 60_000);
  const about = { siteID: 101, subscriptionID: 1 };
  const { values, mismatches } = await perform('listDeliveries', about, harbourKey);
  const attempt = { status: 503, answer: 'busy', duration_ms: 0 };
  expect([mismatches, values.total, (values.list as object[])[1]]).toEqual([
    [],
    2,
    {
      id: 1,
      event: 'form.submit',
      state: 'pending',
      created_at: '2026-01-02T03:04:05.000Z',
      next_attempt_at: '2026-01-02T03:10:05.000Z',
      attempts: [
        { ...attempt, at: '2026-01-02T03:04:05.000Z' },
        { ...attempt, at: '2026-01-02T03:05:05.000Z' },
      ],
    },
  ]);
  await mock.app.close();
});
