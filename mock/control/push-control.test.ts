import { expect, test } from 'vitest';
import type { Schemas } from '../../openapi/generated/control-types.ts';
import { listenControl, openControl } from '../testing/open-control.ts';

interface Deliveries {
  deliveries: Schemas['Delivery'][];
  total: number;
}

const allEvents = [
  'content.publish',
  'content.update',
  'content.delete',
  'form.submit',
  'comment.created',
  'publish.complete',
  'publish.failed',
];

/** A mock on a port with an inbox that listens to all events of site 101. */
async function openSubscribed() {
  const mock = await listenControl();
  await mock.subscribe({ url: mock.inboxUrl, events: allEvents });
  /** What is pushed then. */
  const cause = async (event: string, wanted: object = {}) => {
    const { body } = await mock.call<Deliveries>('POST /events', { event, site_id: 101, ...wanted });
    return JSON.parse(body.deliveries[0]?.body ?? '').data;
  };
  return { ...mock, cause };
}

const content = { content_id: 3, title: '营业时间与交通' };

test.each([
  ['content.publish', content],
  ['content.delete', content],
  ['form.submit', { submission_id: 2, form: 'newsletter', fields: { email: 'han.meimei@mail.example' } }],
  ['comment.created', { comment_id: 2, author: 'Tomás', text: expect.stringContaining('Great view') }],
  ['publish.complete', { message: expect.stringContaining('version 8'), pages: 4, version: 8 }],
  ['publish.failed', { message: expect.stringContaining('version 8') }],
])('%s says what the real thing would say', async (event, data) => {
  const { cause } = await openSubscribed();
  expect(await cause(event)).toEqual(data);
});

test('each publish that is caused has the next version, as one that is called for has', async () => {
  const { cause, perform, harbourKey, service } = await openSubscribed();
  const versions = [];
  for (const event of ['publish.complete', 'publish.failed', 'publish.complete'])
    versions.push((await cause(event)).version);
  expect(versions).toEqual([8, undefined, 10]);
  expect((await perform('getSite', { siteID: 101 }, harbourKey)).values.version).toBe(10);
  expect((await perform('publishSite', { siteID: 101, note: '' }, harbourKey)).values.version).toBe(11);
  const states = [...service.world.publications.values()].map(({ state, version }) => [version, state]);
  expect(states.slice(0, 3)).toEqual([
    [8, 'complete'],
    [9, 'failed'],
    [10, 'complete'],
  ]);
});

test('sample values are told on request, and no publish is recorded', async () => {
  const { cause, service } = await openSubscribed();
  expect(await cause('publish.complete', { samples: true })).toMatchObject({ pages: 1, version: 1 });
  expect(service.world.publications.size).toBe(0);
});

test('sample values are told of a site without contents, submissions and comments', async () => {
  const { cause, perform, subscribe, harbourKey, inboxUrl } = await openSubscribed();
  const { values } = await perform('createSite', { name: 'Quay' }, harbourKey);
  await subscribe({ siteID: values.id, url: inboxUrl, events: allEvents });
  const data = { submission_id: 1, form: 'test' };
  expect(await cause('form.submit', { site_id: values.id })).toMatchObject(data);
});

test('causes an event with the given data', async () => {
  const { cause } = await openSubscribed();
  const data = { message: 'Two pages.', pages: 2, version: 9 };
  expect(await cause('publish.complete', { data })).toEqual(data);
});

test('an event without a site is caused where it is subscribed, and refused where that is on several', async () => {
  const { call, subscribe, blumenKey } = openControl();
  const cause = async () => {
    const { status, body } = await call('POST /events', { event: 'form.submit' });
    return [status, body.site_id ?? body.error];
  };
  expect(await cause()).toEqual([200, 101]);
  const events = ['form.submit'];
  await subscribe({ siteID: 201, events }, blumenKey);
  expect(await cause()).toEqual([200, 201]);
  await subscribe({ siteID: 102, events });
  expect(await cause()).toEqual([
    409,
    expect.stringMatching(
      /several sites have a subscription to form.submit; there are 102 \(.*\), 201 \(.*\); send "site_id"$/,
    ),
  ]);
});

test.each([
  ['', [1, 2, 3]],
  ['?tenant=Harbour%20Caf%C3%A9', [1, 3]],
  ['?site_id=201', [2]],
  ['?subscription_id=1', [1, 3]],
  ['?state=pending&tenant=1', [1]],
  ['?site_id=999', []],
])('GET /deliveries%s', async (query, ids) => {
  const { call, subscribe, harbourKey, blumenKey, origin } = await listenControl();
  const events = ['form.submit'];
  for (const [siteID, key] of [
    [101, harbourKey],
    [201, blumenKey],
  ] as const) {
    await call(`PUT /inbox/${siteID}`, { respond: [500] });
    await subscribe({ siteID, events, url: `${origin}/_mock/inbox/${siteID}` }, key);
  }
  for (const site of [101, 201, 101]) {
    await call('POST /events', { event: 'form.submit', site_id: site });
    await call('POST /drain');
  }
  const { body } = await call<Deliveries>(`GET /deliveries${query}`);
  expect([body.deliveries.map(({ id }) => id), body.total]).toEqual([ids, ids.length]);
});

test('sends a delivery again, and answers with the result', async () => {
  const { call } = await openSubscribed();
  await call('PUT /inbox/ci', { secret: 'correct-horse', respond: [500] });
  await call('POST /events', { event: 'form.submit', site_id: 101 });
  expect((await call('POST /drain')).body).toMatchObject({ pending: 1 });
  const { body } = await call<Schemas['Delivery']>('POST /deliveries/1/redeliver');
  expect(body).toMatchObject({
    state: 'delivered',
    attempts: [
      { number: 1, cause: 'event', status: 500 },
      { number: 2, cause: 'redelivery', status: 200 },
    ],
  });
  expect((await call('POST /drain')).body).toMatchObject({ pending: 0 });
  const { body: inbox } = await call<{ messages: { body: string }[] }>('GET /inbox/ci/messages');
  expect(inbox.messages[1]?.body).toBe(inbox.messages[0]?.body);
});
