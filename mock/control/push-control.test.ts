import { expect, test } from 'vitest';
import { eventNames } from '../../openapi/event-names.ts';
import type { Schemas } from '../../openapi/generated/control-types.ts';
import { checkAnswer, listenControl, listenTo, openControl } from '../testing/open-control.ts';
import { openReceiver } from '../testing/open-mock.ts';
import type { Answer } from './controlled-mock.ts';

/** A mock on a port whose inbox is subscribed to all events of site 101. */
async function openSubscribed() {
  const mock = await listenControl();
  await mock.subscribe({ url: mock.inboxUrl, events: eventNames });
  /** Returns the `data` of the push. */
  const cause = async (event: string, wanted: object = {}) => {
    const sent = { event, site_id: 101, ...wanted };
    const { body } = await mock.call<Answer<'causeEvent'>>('POST /events', sent);
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
])('a caused %s has the data of the newest entry', async (event, data) => {
  const { cause } = await openSubscribed();
  expect(await cause(event)).toEqual(data);
});

test('each caused publish gets the next version, like a publish by call', async () => {
  const { cause, perform, harbourKey, service } = await openSubscribed();
  const versions = [];
  for (const event of ['publish.complete', 'publish.failed', 'publish.complete'])
    versions.push((await cause(event)).version);
  expect(versions).toEqual([8, undefined, 10]);
  expect((await perform('getSite', { siteID: 101 }, harbourKey)).values.version).toBe(10);
  expect((await perform('publishSite', { siteID: 101, note: '' }, harbourKey)).values.version).toBe(11);
  const states = [...service.world.publications.values()].map(({ state, version }) => `${version} ${state}`);
  expect(states.slice(0, 3)).toEqual(['8 complete', '9 failed', '10 complete']);
});

test('sends sample values or the given data on request, without recording a publish', async () => {
  const { cause, service } = await openSubscribed();
  expect(await cause('publish.complete', { samples: true })).toMatchObject({ pages: 1, version: 1 });
  const data = { message: 'Two pages.', pages: 2, version: 9 };
  expect(await cause('publish.complete', { data })).toEqual(data);
  expect(service.world.publications.size).toBe(0);
});

test('sends sample values for a site without data', async () => {
  const { cause, perform, subscribe, harbourKey, inboxUrl } = await openSubscribed();
  const { values } = await perform('createSite', { name: 'Quay' }, harbourKey);
  await subscribe({ siteID: values.id, url: inboxUrl, events: eventNames });
  const data = { submission_id: 1, form: 'test' };
  expect(await cause('form.submit', { site_id: values.id })).toMatchObject(data);
});

test('without a site, takes the only subscribed site, and refuses if there are several', async () => {
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
  const several = /several sites have a subscription to form.submit: 102 .*, 201 .*; send "site_/;
  expect(await cause()).toEqual([409, expect.stringMatching(several)]);
});

test.each([
  ['', [1, 2, 3]],
  ['?tenant=Harbour%20Caf%C3%A9', [1, 3]],
  ['?site_id=201', [2]],
  ['?subscription_id=1', [1, 3]],
  ['?state=pending&tenant=1', [1]],
  ['?site_id=999', []],
])('GET /deliveries%s lists %j', async (query, ids) => {
  const { call, subscribe, blumenKey, origin } = await listenControl();
  const events = ['form.submit'];
  await subscribe({ events, url: `${origin}/_mock/inbox/101` });
  await subscribe({ siteID: 201, events, url: `${origin}/_mock/inbox/201` }, blumenKey);
  for (const inbox of [101, 201]) await call(`PUT /inbox/${inbox}`, { respond: [500] });
  for (const site of [101, 201, 101]) {
    await call('POST /events', { event: 'form.submit', site_id: site });
    await call('POST /drain');
  }
  const { body } = await call<Answer<'listDeliveries'>>(`GET /deliveries${query}`);
  expect([body.deliveries.map(({ id }) => id), body.total]).toEqual([ids, ids.length]);
});

async function openFailing() {
  const mock = await listenControl();
  const url = `${mock.inboxUrl}?key=abc`;
  const secret = 'Correct-Horse';
  await mock.call('PUT /inbox/ci', { secret, respond: [500, 500, 500] });
  await mock.subscribe({ url, secret });
  const push = async () => {
    await mock.call('POST /events', { event: 'publish.complete' });
    await mock.call('POST /drain');
  };
  return { ...mock, push };
}

const plannedTimes = ['03:04:05', '03:05:05', '03:10:05', '03:40:05'].map((at) => `2026-01-02T${at}.000Z`);

test('the overview summarizes requests, deliveries and inboxes', async () => {
  const { call, push, perform, mei, origin } = await openFailing();
  await perform('login', { ...mei, password: 'wrong' });
  await push();
  await call('PUT /faults', { on: ['third-retry-missing'] });
  const { body } = await call<Schemas['Overview']>('GET /overview');
  const [now, ...planned] = plannedTimes;
  const attempts = [{ at: now, cause: 'event', ok: false, status: 500 }];
  const refusal = expect.stringContaining('password');
  expect(body).toMatchObject({
    profile: 'default',
    clock: { mode: 'manual', now },
    variations: [],
    faults: ['third-retry-missing'],
    requests: [
      { id: 1, operation: 'createSubscription' },
      { id: 2, who: mei.username, refusal },
    ],
    deliveries: [{ id: 1, state: 'pending', url: `${origin}/_mock/inbox/ci?key=…`, attempts, planned }],
    inboxes: [{ name: 'ci', has_secret: true, received: 1, respond: 2 }],
  });
  expect(JSON.stringify(body)).not.toMatch(/Correct-Horse|abc/);
});

test('the overview plans four attempts for an unsent push', async () => {
  const { call } = await openFailing();
  await call('POST /events', { event: 'publish.complete' });
  const { body } = await call<Schemas['Overview']>('GET /overview');
  expect(body.deliveries).toMatchObject([{ planned: plannedTimes }]);
});

async function listenShort(origin: string) {
  const { events } = await listenTo<{ data: Schemas['Changes'] }>(`${origin}/_mock/stream?short=true`);
  return () => events().map(({ data }) => data);
}

test('the short stream batches changes at most ten times a second', async () => {
  const { call, push, perform, mei, origin } = await openFailing();
  const changes = await listenShort(origin);
  const listeningSince = performance.now();
  for (let count = 0; count < 120; count++) await perform('login', { ...mei, password: 'wrong' });
  await push();
  const ids = () => changes().flatMap(({ requests = [] }) => requests.map(({ id }) => id));
  await expect.poll(() => ids().at(-1)).toBe(121);
  expect(changes().every(({ requests = [] }) => requests.length <= 25)).toBe(true);
  await expect.poll(() => changes().at(-1)?.deliveries?.[0]?.attempts.length).toBe(1);
  for (const answer of changes())
    checkAnswer('/components/schemas/Changes', { line: 'changes', status: 200, answer });
  const tenthsOfSeconds = (performance.now() - listeningSince) / 100;
  expect(changes().length).toBeLessThanOrEqual(tenthsOfSeconds + 1);
  const ofInboxes = changes().flatMap(({ inboxes = [] }) => inboxes);
  expect(ofInboxes.at(-1)).toMatchObject({ name: 'ci', received: 1 });
  expect(new Set(ids()).size).toBe(ids().length);
  await call('POST /deliveries/1/give-up');
  await expect
    .poll(() => changes().at(-1)?.deliveries?.[0])
    .toMatchObject({ state: 'given-up', planned: [] });
  await call('POST /reset');
  await expect.poll(() => changes().at(-1)?.replaced).toBe(true);
});

test('the short stream marks omitted changes', async () => {
  const { origin, app } = await openFailing();
  const changes = await listenShort(origin);
  await Promise.all(Array.from({ length: 400 }, () => app.inject('/api/v1/nowhere')));
  await expect.poll(() => changes().some(({ more, requests }) => more && requests?.length === 25)).toBe(true);
});

test('gives up a delivery, which ends its retries', async () => {
  const { call, push } = await openFailing();
  await push();
  const { body } = await call('POST /deliveries/1/give-up');
  expect(body).toMatchObject({ state: 'given-up', attempts: [{ signature_fits: true, status: 500 }] });
  expect(body).not.toHaveProperty('next_attempt_at');
  expect((await call('POST /clock', { advance: 'PT36M' })).body.attempts).toEqual([]);
  const again = await call('POST /deliveries/1/give-up');
  expect([again.status, again.body.error]).toEqual([409, expect.stringContaining('is given-up')]);
});

test('a delivery that is given up during an attempt stays given up', async () => {
  const { call, subscribe } = await listenControl();
  const [arrived, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { url } = await openReceiver(async () => {
    arrived.resolve();
    await ended.promise;
    return { status: 500 };
  });
  await subscribe({ url });
  await call('POST /events', { event: 'publish.complete' });
  await arrived.promise;
  await call('POST /deliveries/1/give-up');
  ended.resolve();
  await call('POST /drain');
  const { body } = await call('GET /deliveries/1');
  expect(body).toMatchObject({ state: 'given-up', attempts: [{ status: 500 }] });
  expect(body).not.toHaveProperty('next_attempt_at');
});

test('reports a wrong signature', async () => {
  const { call, push } = await openFailing();
  await call('PUT /faults', { on: ['secret-in-lower-case'] });
  await push();
  expect((await call('GET /deliveries/1')).body).toMatchObject({ attempts: [{ signature_fits: false }] });
});
