import { expect, test } from 'vitest';
import type { Schemas } from '../../openapi/generated/control-types.ts';
import { removeAt, setAt } from '../../openapi/json-pointer.ts';
import { loadProfile, makeProfile } from '../../openapi/profile.ts';
import { openControl } from '../testing/open-control.ts';
import { profileNames } from '../testing/open-mock.ts';
import { logIn, startTestMock } from '../testing/started-mock.ts';
import { pathOfTest } from '../testing/test-store.ts';
import { fromSnapshot, toSnapshot } from '../world/snapshot.ts';
import type { World } from '../world/world.ts';

test.each(profileNames)('%s: health returns the values of the profile', async (name) => {
  const profile = loadProfile(name);
  const { body } = await openControl(profile).call<Schemas['Health']>('GET /health');
  const clock = { mode: 'manual' };
  expect(body).toMatchObject({ ready: true, base_path: '/api/v1', profile: { name }, clock });
  expect(makeProfile(body.profile.values, { name, source: 'health' })).toEqual(profile);
});

test('health lists exactly the offered operations', async () => {
  const { body } = await openControl(loadProfile('documented-only')).call('GET /health');
  expect(body.operations).toEqual(['login', 'refresh', 'createSubscription', 'testSubscription']);
});

test('the same seed and calls give the same world, byte for byte, and another seed other keys', async () => {
  const [one, other] = [await openBusy(), await openBusy()];
  expect((await other.call('GET /world')).text).toBe((await one.call('GET /world')).text);
  expect(openControl(undefined, { seed: 2 }).harbourKey).not.toBe(one.harbourKey);
});

test('a restored world behaves like the original', async () => {
  const [one, other] = [await openBusy(), openControl()];
  await other.call('PUT /world', (await one.call('GET /world')).body);
  for (const { perform, mei, harbourKey, call } of [one, other]) {
    await perform('login', mei);
    await perform('createSite', { name: 'Quay' }, harbourKey);
    await call('POST /clock', { advance: 'PT36M' });
  }
  expect((await other.call('GET /world')).text).toBe((await one.call('GET /world')).text);
});

test.each([
  ['the first attempt', 0],
  ['the second retry', 2],
])('repeats %s if it was in progress at the time of the snapshot', async (_what, made) => {
  const { call, service } = await openBusy();
  const [delivery = expect.fail('nothing was pushed')] = service.world.deliveries.values();
  expect(delivery.attempts).toHaveLength(2);
  const { body } = await call('GET /world');
  setAt(body, '/jobs', []);
  // An attempt is counted when it begins.
  setAt(body, '/deliveries/1/retries', made);
  setAt(body, '/deliveries/1/attempts', delivery.attempts.slice(0, made));
  await call('PUT /world', body);
  await call('POST /clock', { advance: 'PT1H' });
  const restored = (await call<Schemas['Delivery']>('GET /deliveries/1')).body;
  const causes = restored.attempts.map(({ cause }) => cause);
  expect([restored.state, causes]).toEqual(['given-up', ['event', 'retry', 'retry', 'retry']]);
});

test('sorts the jobs of a snapshot by their due times', async () => {
  const { call, service } = await openBusy();
  const { body } = await call('GET /world');
  const task = { kind: 'end-publication', publicationId: 99, outcome: 'complete' };
  const at = service.clock.now();
  const jobs = [2000, 1000].map((later, index) => ({ id: 901 + index, at: at + later, task }));
  setAt(body, '/jobs', jobs);
  await call('PUT /world', body);
  expect(service.world.jobs.order.map(({ id }) => id).slice(0, 2)).toEqual([902, 901]);
});

test.each([
  ['/jobz', [], 'the body: there is no member "jobz"; did you mean "jobs"?'],
  ['/random', undefined, '/random: is missing; expected a whole number'],
  ['/clock/offset', 5, '/clock'],
  ['/sites/101/nam', 'x', '/sites/101: there is no member "nam"; did you mean "name"?'],
  ['/sites/101/id', 102, '/sites/101: its id is 102; both must be the same'],
  ['/users/mei@harbour-cafe.example/passwordDigest', 'abc', 'expected a text that matches ^[0-9a-f]{64}$'],
  ['/sessions/abc', { tenantId: 1, username: 'mei', expiresAt: 0 }, '/sessions'],
  ['/subscriptions/1/url', 'ftp://x', '/subscriptions/1/url: expected a text that matches ^https?://'],
  ['/deliveries/1/attempts/0/outcome', {}, '/deliveries/1/attempts/0/outcome'],
  ['/limits/logins', [], '/limits'],
  ['/overrides/0/status', 99, '/overrides/0/status: expected a whole number from 200 to 599'],
  ['/inboxes/ci/respond/0', 'never', '/inboxes/ci/respond/0: expected an HTTP status'],
  ['/inboxes/ci/messages/0/answer', {}, '/inboxes/ci/messages/0/answer'],
])('refuses a snapshot with %s set to %j, and changes nothing', async (pointer, value, error) => {
  const { call } = await openBusy();
  const { text, body } = await call('GET /world');
  if (value === undefined) removeAt(body, pointer);
  else setAt(body, pointer, value);
  const answer = await call('PUT /world', body);
  expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(error)]);
  expect((await call('GET /world')).text).toBe(text);
});

test('a reset restores the seed, including clock and journal', async () => {
  const fresh = openControl();
  await fresh.call('POST /reset');
  const mock = await openBusy();
  const { body } = await mock.call<Schemas['WorldSummary']>('POST /reset');
  expect(body).toMatchObject({ tenants: 2, users: 3, clock: { now: '2026-01-01T00:00:00.000Z' } });
  expect((await mock.call('GET /world')).text).toBe((await fresh.call('GET /world')).text);
  expect((await mock.call('GET /requests')).body).toEqual({ requests: [], total: 0, evicted: 0 });
});

test.each(['1', 'Harbour%20Caf%C3%A9'])('the reset of tenant %s restores all of its data', async (tenant) => {
  const { call, perform, harbourKey, mei, service } = await openBusy();
  const token = String((await perform('login', mei)).values.token);
  await perform('deleteSite', { siteID: 102 }, harbourKey);
  const seed = service.createWorld();
  expect((await call(`POST /reset?tenant=${tenant}`)).status).toBe(200);
  expect(ofTenant(service.world, 1)).toEqual(ofTenant(seed, 1));
  const { body } = await call<Schemas['Journal']>('GET /requests');
  // Calls without authentication belong to no tenant.
  expect(body.requests.filter((request) => request.tenant !== undefined)).toEqual([]);
  expect((await perform('listSites', {}, token)).status).toBe(401);
  expect((await perform('listSites', {}, harbourKey)).status).toBe(200);
});

test('the reset of a tenant leaves other tenants unchanged, and deletes its retries', async () => {
  const { call, perform, subscribe, blumenKey, zoe, service } = await openBusy();
  const token = String((await perform('login', zoe)).values.token);
  await perform('createSite', { name: 'Stand' }, blumenKey);
  await perform('createContent', { siteID: 201, title: 'Roses', text: 'Red' }, blumenKey);
  await perform('submitForm', { siteID: 201, form: 'contact', fields: {} }, blumenKey);
  await perform('createComment', { siteID: 201, author: 'Ada', text: 'Hi' }, blumenKey);
  const events = ['comment.created', 'publish.complete'];
  await subscribe({ siteID: 201, url: 'http://127.0.0.1:1/', events }, blumenKey);
  await perform('publishSite', { siteID: 201, note: 'spring' }, blumenKey);
  await call('POST /drain');
  const before = fromSnapshot(toSnapshot(service.world));
  expect(ofTenant(before, 1).jobs).toHaveLength(1);
  await call('POST /reset?tenant=1');
  const { world } = service;
  expect(ofTenant(world, 2)).toEqual(ofTenant(before, 2));
  expect(Object.values(ofTenant(world, 2)).filter((entries) => entries.length === 0)).toEqual([]);
  expect(world.jobs.order).toEqual(ofTenant(world, 2).jobs);
  for (const name of ['random', 'clock', 'overrides', 'inboxes'] as const)
    expect(world[name]).toEqual(before[name]);
  expect({ ...world.counters, job: 0 }).toEqual({ ...before.counters, job: 0 });
  const { body } = await call<Schemas['Journal']>('GET /requests?tenant=2');
  expect(body.requests.map(({ operation }) => operation).join(' ')).toBe(
    'login createSite createContent submitForm createComment createSubscription publishSite',
  );
  expect((await perform('listSites', {}, token)).status).toBe(200);
});

const ofTenants = ['users', 'sessions', 'apiKeys', 'sites', 'firstAnswers'] as const;
const published = ['contents', 'submissions', 'comments', 'publications'] as const;
const onSites = [...published, 'subscriptions', 'deliveries'] as const;

/** All entries of a tenant, in any order. */
function ofTenant(world: World, id: number): Record<string, unknown[]> {
  const sites = new Set(
    [...world.sites.values()].filter(({ tenantId }) => tenantId === id).map((site) => site.id),
  );
  const own = ofTenants.map((name) => [name, [...world[name]].filter(([, one]) => one.tenantId === id)]);
  const parts = onSites.map((name) => [name, [...world[name]].filter(([, one]) => sites.has(one.siteId))]);
  const limits = [...world.limits].filter(([key]) => key.endsWith(`:${id}`));
  const jobs = world.jobs.order.filter(
    ({ task }) => task.kind === 'attempt' && sites.has(world.deliveries.get(task.deliveryId)?.siteId ?? 0),
  );
  return { ...Object.fromEntries([...own, ...parts]), limits, jobs };
}

test.each(['', '&tenant=1', '&tenant=2'])(
  'a reset with sessions=keep leaves users logged in (%s)',
  async (tenant) => {
    const { call, perform, mei, zoe, harbourKey, service } = openControl();
    const tokens = [await perform('login', mei), await perform('login', zoe)].map(({ values }) =>
      String(values.token),
    );
    await perform('deleteSite', { siteID: 102 }, harbourKey);
    expect((await call(`POST /reset?sessions=keep${tenant}`)).status).toBe(200);
    for (const token of tokens) expect((await perform('listSites', {}, token)).status).toBe(200);
    expect(service.world.sites.has(102)).toBe(tenant !== '&tenant=2');
  },
);

test('with sessions=keep, sessions have their remaining time, and new tokens differ from old ones', async () => {
  const { call, perform, mei, tom, service } = openControl();
  const { values } = await perform('login', mei);
  await call('POST /clock', { advance: 'PT1M' });
  const left = () =>
    [...service.world.sessions.values()].map(({ expiresAt }) => expiresAt - service.clock.now());
  const before = left();
  await call('POST /reset?sessions=keep');
  expect(left()).toEqual(before);
  await call('POST /tokens/expire', {});
  await call('POST /reset?sessions=keep');
  expect(left()).toEqual([0]);
  expect((await perform('login', tom)).values.token).not.toBe(values.token);
});

test('with sessions=keep, the session of a removed user ends', async () => {
  const { call, perform, mei, service } = openControl();
  const { values } = await perform('login', mei);
  service.world.users.set('ada', { tenantId: 1, salt: '', passwordDigest: '' });
  const { sessions } = service.world;
  for (const [key, session] of [...sessions]) sessions.set(key, { ...session, username: 'ada' });
  await call('POST /reset?sessions=keep');
  expect((await perform('listSites', {}, String(values.token))).status).toBe(401);
});

/** A mock whose world has entries of every kind. */
async function openBusy() {
  const mock = openControl();
  const { perform, call, subscribe, mei, harbourKey } = mock;
  await perform('login', mei);
  await perform('createKey', { name: 'ci' }, harbourKey);
  await perform('createSite', { name: '码头' }, harbourKey);
  await perform('createContent', { siteID: 101, title: 'Opening hours', text: '8–18' }, harbourKey);
  await perform('submitForm', { siteID: 101, form: 'contact', fields: { __proto__: 1, name: 'Ada' } });
  await perform('createComment', { siteID: 101, author: 'Ada', text: 'Hi' }, harbourKey);
  await subscribe({ url: 'http://127.0.0.1:1/x?key=abc', secret: 'correct-horse' });
  await perform('publishSite', { siteID: 101, note: 'spring' }, harbourKey);
  await call('POST /overrides', { operation: 'askAi', status: 503 });
  await call('PUT /inbox/ci', { respond: [500, 'timeout'], robot: { token: 'abc' } });
  await call('POST /inbox/ci', { any: 'message' });
  await call('POST /clock', { advance: 'PT2M' });
  return mock;
}

test.each([
  ['/live', { live: true }],
  ['/ready', { ready: true }],
])('%s needs no token', async (path, answer) => {
  const { call, app } = openControl(undefined, { controlToken: 'a-token' });
  expect((await call(`GET ${path}`)).body).toEqual(answer);
  expect((await app.inject({ method: 'HEAD', url: `/_mock${path}` })).statusCode).toBe(200);
});

test.each(['/live', '/ready', '/metrics'])('refuses %s to a web page of another origin', async (path) => {
  const { call } = openControl();
  expect((await call(`GET ${path}`, undefined, { origin: 'https://shop.example' })).status).toBe(403);
});

test('a mock is live but not ready while its store fails or it shuts down', async () => {
  const { call, service } = openControl();
  const reason = "store file:mock.db can't be written: the disk is full";
  service.store = { check: async () => reason } as NonNullable<typeof service.store>;
  expect(await call('GET /ready')).toMatchObject({ status: 503, body: { error: reason } });
  service.events.emit('closing');
  expect(await call('GET /ready')).toMatchObject({
    status: 503,
    body: { error: 'the mock is shutting down' },
  });
  expect((await call('GET /live')).status).toBe(200);
});

test('metrics count requests and worlds', async () => {
  const mock = await startTestMock({ clock: 'manual' });
  await logIn(mock);
  await logIn(mock);
  const answer = await fetch(`${mock.controlUrl}/metrics`);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const text = await answer.text();
  expect(text).toContain('# TYPE sitepub_requests_total counter\n');
  expect(text).toContain('sitepub_requests_total{operation="login",status="200"} 2\n');
  expect(text).toContain('sitepub_worlds 1\n');
  expect(text).toContain('sitepub_oldest_due_seconds 0\n');
  expect(text).not.toContain('sitepub_turn_seconds');
  await mock.control.createWorld({ name: 'pr-1' });
  expect(mock.control.metrics()).toContain('sitepub_worlds 2\n');
  await mock.control.endWorld('pr-1');
  expect(mock.control.metrics()).toContain('sitepub_worlds 1\n');
});

test('metrics of a store include its turns, in the Prometheus format', async () => {
  const mock = await startTestMock({ store: `file:${pathOfTest()}` });
  await logIn(mock);
  const text = await mock.control.metrics();
  for (const phase of ['wait', 'run', 'commit'])
    expect(text).toMatch(new RegExp(`^sitepub_turn_seconds_count\\{phase="${phase}"\\} [1-9]`, 'm'));
  expect(text).toMatch(/^sitepub_turn_calls_bucket\{le="1"\} [1-9]/m);
  expect(text).toMatch(/^sitepub_rows_changed_total [1-9]/m);
  for (const line of text.trimEnd().split('\n'))
    expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"\\\n]*"(,\w+="[^"\\\n]*")*\})? [\d.e+-]+)$/);
});
