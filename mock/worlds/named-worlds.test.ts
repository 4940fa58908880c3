import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Schemas } from '../../openapi/generated/control-types.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { readRequest } from '../server/read-settings.ts';
import type { StartOptions } from '../start.ts';
import { checkAnswer, createWorld } from '../testing/open-control.ts';
import { openMock } from '../testing/open-mock.ts';
import { hook, send, startTestMock } from '../testing/started-mock.ts';
import { createNamedWorlds, type ServedMock } from './named-worlds.ts';
import type { Shelf } from './shelf.ts';
import type { WorldBlueprint } from './world-settings.ts';

const start = (options: StartOptions = {}) => startTestMock({ clock: 'manual', ...options });

async function startWith(request: object, options: StartOptions = {}) {
  const mock = await start(options);
  const world = await createWorld(mock, request);
  return { mock, world, key: mock.tenants[0]?.apiKey, origin: new URL(mock.baseUrl).origin };
}

async function siteNames(baseUrl: string, token: string | undefined, headers?: Record<string, string>) {
  const { body } = await send(`${baseUrl}/tenant/sites`, { token, ...(headers && { headers }) });
  const { list } = body.data as { list: { site_name: string }[] };
  return list.map((site) => site.site_name);
}

test('a named world has its own addresses, clock and sites', async () => {
  const { mock, world, key, origin } = await startWith({ name: 'pr-4711', expires_in: 'PT2H' });
  expect(world).toMatchObject({
    base_url: `${origin}/w/pr-4711/api/v1`,
    control_url: `${origin}/w/pr-4711/_mock`,
    seed: 1,
    profile: 'default',
    has_control_token: false,
    tenants: [{ id: 1, name: 'Harbour Café', api_key: key, site_ids: [101, 102] }, { id: 2 }],
  });
  expect(Date.parse(world.expires_at ?? '') - Date.parse(world.created_at)).toBe(7_200_000);
  await send(`${world.base_url}/tenant/sites`, { token: key, body: { site_name: 'Quay' } });
  await send(`${world.control_url}/clock`, { body: { advance: 'PT1H' } });
  expect(await siteNames(world.base_url, key)).toEqual(['海港咖啡馆', 'Harbour Roastery', 'Quay']);
  expect(await siteNames(mock.baseUrl, key)).toEqual(['海港咖啡馆', 'Harbour Roastery']);
  expect(mock.control.clock().now).toBe('2026-01-01T00:00:00.000Z');
  const health = (await send(`${world.control_url}/health`)).body;
  expect(health).toMatchObject({ base_url: world.base_url, clock: { now: '2026-01-01T01:00:00.000Z' } });
  const listed = { path: '/api/v1/tenant/sites' };
  expect(mock.control.requests().requests).toMatchObject([listed]);
  expect((await send(`${world.control_url}/requests`)).body.requests).toMatchObject([listed, listed]);
});

test('the header selects a world; main is also served under its name', async () => {
  const { mock, key, origin } = await startWith({ name: 'a' });
  const header = { 'x-sitepub-world': 'a' };
  await send(`${mock.baseUrl}/tenant/sites`, { token: key, body: { site_name: 'Quay' }, headers: header });
  expect(await siteNames(mock.baseUrl, key, header)).toContain('Quay');
  expect(await siteNames(`${origin}/w/main/api/v1`, key)).not.toContain('Quay');
  const main = { 'x-sitepub-world': 'main' };
  expect(await siteNames(mock.baseUrl, key, main)).not.toContain('Quay');
  const both = await send(`${origin}/w/a/api/v1/tenant/sites`, { headers: main });
  const said =
    'the path names the world "a" and the header X-Sitepub-World names "main"; send only one of them';
  expect(both).toMatchObject({ status: 400, body: { message: said } });
});

test('a world pushes to its own inboxes, by its own clock', async () => {
  const { mock, world, key } = await startWith({ name: 'w1' });
  const url = `${world.control_url}/inbox/ci`;
  const box = await send(url, { method: 'PUT', body: { respond: ['timeout', 500] } });
  expect(box.body.url).toBe(url);
  await send(`${world.base_url}/tenant/sites/101/webhooks`, { token: key, body: hook(url) });
  await send(`${world.control_url}/events`, { body: { event: 'publish.complete' } });
  const startedAt = performance.now();
  const { body } = await send(`${world.control_url}/clock`, { body: { advance: 'PT6M' } });
  // A clock move does not wait for an unanswered push.
  expect(performance.now() - startedAt).toBeLessThan(5000);
  expect(body.attempts).toHaveLength(3);
  const { messages } = (await send<Schemas['Messages']>(`${url}/messages`)).body;
  const answers = [{ error: 'timeout' }, { status: 500 }, { status: 200 }];
  expect(messages.map(({ answer }) => answer)).toMatchObject(answers);
  expect(mock.control.inbox('ci').messages().received).toBe(0);
  expect(mock.control.deliveries().deliveries).toEqual([]);
});

test('a world ends at once, and later calls get the reason', async () => {
  const { mock, world } = await startWith({ name: 'gone' });
  await send(`${world.control_url}/inbox/ci`, { method: 'PUT', body: { respond: ['timeout'] } });
  const unanswered = fetch(`${world.control_url}/inbox/ci`, { method: 'POST', body: '{}' });
  const stream = await fetch(`${world.control_url}/stream`);
  await sleep(50);
  const ended = await send(`${mock.controlUrl}/worlds/gone`, { method: 'DELETE' });
  expect([ended.status, ended.body]).toEqual([200, { ended: 'gone' }]);
  await expect(unanswered).rejects.toThrow('fetch failed');
  expect(await stream.text()).toMatch(/^: listening/);
  const service = await send(`${world.base_url}/tenant/sites`);
  const control = await send(`${world.control_url}/health`);
  const why =
    /^there is no world "gone"; it ended at \S+Z; create one with POST \/_mock\/worlds, or list them with GET \/_mock\/worlds$/;
  const trace_id = expect.stringMatching(/^[0-9a-f]{16}$/);
  const body = { code: 40403, message: expect.stringMatching(why), trace_id };
  expect([service.status, service.body]).toEqual([404, body]);
  expect([control.status, control.body]).toEqual([404, { error: expect.stringMatching(why) }]);
  expect(mock.control.requests().total).toBe(0);
  expect((await send(`${mock.controlUrl}/worlds/gone`, { method: 'DELETE' })).status).toBe(404);
});

test('removes a world that is not ready when the mock shuts down', async () => {
  const { promise, resolve } = Promise.withResolvers<ServedMock>();
  const steps: string[] = [];
  const shelf: Partial<Shelf> = {
    add: async (place) => ({ ...place, createdAt: 0, expiresAt: undefined, endsAt: undefined }),
    async remove(name) {
      steps.push(`removes ${name}`);
      return true;
    },
  };
  const worlds = createNamedWorlds({ build: () => promise, shelf: shelf as Shelf });
  const settings = {} as WorldBlueprint['settings'];
  const made = worlds.create({ name: 'late', expiresIn: undefined, settings });
  const ended = worlds.endAll().then(() => steps.push('has ended'));
  resolve(openMock().service);
  await expect(made).rejects.toThrow('the mock is shutting down');
  await ended;
  expect(steps).toEqual(['removes late', 'has ended']);
});

test('a world expires in real time', async () => {
  const { mock, world } = await startWith({ name: 'short', expires_in: 'PT2S' });
  expect((await send(`${world.control_url}/health`)).status).toBe(200);
  // Without any call to it.
  await expect.poll(() => mock.worlds.list(), { timeout: 10_000 }).toMatchObject([{ name: 'main' }]);
  const { status, body } = await send(`${world.control_url}/health`);
  expect([status, body.error]).toEqual([404, expect.stringContaining('it expired at ')]);
});

test('lists main first, without secrets', async () => {
  const { mock } = await startWith({ name: 'b', control_token: true, clock: 'real', seed: 7 });
  const { status, body } = await send<Schemas['Worlds']>(`${mock.controlUrl}/worlds`);
  checkAnswer('/components/schemas/Worlds', { line: 'GET /worlds', status, answer: body });
  expect(body.worlds).toMatchObject([
    { name: 'main', seed: 1, clock: { mode: 'manual' }, has_control_token: false },
    { name: 'b', seed: 7, clock: { mode: 'real' }, has_control_token: true },
  ]);
  expect(body.kept.bytes).toBeGreaterThan(0);
  await mock.worlds.end('b');
  expect(mock.control.worlds().kept).toEqual({ bytes: 0, bound: 192_000_000 });
  expect(JSON.stringify(body)).not.toMatch(/"control_token"|password|sp_/);
});

test.each([
  [{ name: 'main' }, 409, 'the world "main" already exists'],
  [{ name: 'taken' }, 409, 'end it with DELETE /_mock/worlds/taken'],
  [{ name: '..' }, 400, 'expected 1 to 63 ASCII letters'],
  [{ name: 'x', expires_in: 'PT0S' }, 400, 'a positive duration of at most ten years'],
  [{ name: 'x', expires_in: 'P9999W' }, 400, 'a positive duration of at most ten years'],
  [{ name: 'x', expires_in: '2h' }, 400, 'ISO 8601 duration'],
  [{ name: 'x', profile: 'acme' }, 400, 'there is no packaged profile "acme"'],
  [{ name: 'x', profile: '../../etc/passwd' }, 400, 'profile'],
  [{ name: 'x', profile: { name: 'y', values: { 'login.tokn': 1 } } }, 400, 'unknown gap "login.tokn"'],
  [{ name: 'x', world: { tenants: [{}] } }, 400, 'tenants[0]'],
  [{ name: 'x', variations: ['shuffled'] }, 400, 'there is no variation "shuffled"'],
  [{ name: 'x', faults: ['nothing'] }, 400, 'there is no fault "nothing"'],
])('refuses %j with %i', async (request, status, reason) => {
  const { mock } = await startWith({ name: 'taken' });
  const answer = await send(`${mock.controlUrl}/worlds`, { body: request });
  expect([answer.status, answer.body.error]).toEqual([status, expect.stringContaining(reason)]);
  expect(mock.worlds.list()).toHaveLength(2);
});

test('does not blame the caller for an internal error', async () => {
  const mistake = new TypeError('of the mock');
  const failing = (value: object, member: string) =>
    Object.defineProperty(value, member, {
      enumerable: true,
      get() {
        throw mistake;
      },
    }) as Record<string, unknown>;
  const profile = { name: 'p', values: failing({}, 'login.token') };
  const world = failing({ random: 1, counters: {} }, 'clock');
  const defaults = { profile: loadProfile('default'), seed: 1, clock: 'manual' } as const;
  await expect(readRequest({ name: 'a', profile }, defaults)).rejects.toBe(mistake);
  await expect(readRequest({ name: 'a', world }, defaults)).rejects.toBe(mistake);
});

test('refuses to end main', async () => {
  const { controlUrl } = await start();
  const { status, body } = await send(`${controlUrl}/worlds/main`, { method: 'DELETE' });
  const error = expect.stringContaining('the main world ends only with the mock');
  expect([status, body]).toEqual([409, { error }]);
});

test('the token of a world is valid for that world, the token of the mock for all', async () => {
  const mock = await start({ controlToken: 'of-the-mock' });
  const token = 'of-the-mock';
  const one = await createWorld(mock, { name: 'one', control_token: true }, token);
  const other = await createWorld(mock, { name: 'other' }, token);
  const own = one.control_token;
  expect(other.control_token).toBeUndefined();
  const statusOf = async (url: string, by?: string) => (await send(`${url}/health`, { token: by })).status;
  const statuses = [mock.controlUrl, one.control_url, other.control_url].map((url) =>
    Promise.all([statusOf(url, own), statusOf(url, token), statusOf(url)]),
  );
  expect(await Promise.all(statuses)).toEqual([
    [401, 200, 401],
    [200, 200, 401],
    [401, 200, 401],
  ]);
});

test('the named world answers unknown paths', async () => {
  const { mock, origin } = await startWith({ name: 'a', profile: 'always-200-camel-case' });
  for (const path of ['/w/a/api/v1/nothing', '/w/a/api/v1/%zz', '/w/a/w/main/api/v1'])
    expect((await send(`${origin}${path}`)).status).toBe(200);
  expect((await send(`${origin}/w/a/api/v1/tenant/sites`, { method: 'PROPFIND' })).status).toBe(200);
  expect((await send(`${origin}/w`)).status).toBe(404);
  expect(mock.control.requests().total).toBe(1);
  const bare = await fetch(`${origin}/w/a?x=1`, { redirect: 'manual' });
  expect([bare.status, bare.headers.get('location')]).toEqual([308, 'a/?x=1']);
});

test('the API reference of a world loads its own files, and calls its own service', async () => {
  const { world } = await startWith({ name: 'a', profile: 'always-200-camel-case' });
  const root = world.base_url.replace('/api/v1', '');
  const page = await (await fetch(`${root}/docs/`)).text();
  const sources = [...page.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, source]) => source ?? '');
  expect(sources).toHaveLength(3);
  for (const source of sources) expect((await fetch(new URL(source, root))).status).toBe(200);
  expect(sources.filter((source) => !source.startsWith('/w/a/docs/'))).toEqual([]);
  const script = await (await fetch(`${root}/docs/start.js`)).text();
  expect(script.match(/'[^']*\/docs\/[^']*'/g)).toEqual(["'/w/a/docs/scalar.js'", "'/w/a/docs/shown.json'"]);
  const description = (await send(`${root}/docs/openapi.json`)).body;
  expect(description.servers).toEqual([{ url: '/w/a/api/v1' }]);
  expect(JSON.stringify(description.info)).toContain('always-200-camel-case');
});

test('POST /stop of a world ends only that world', async () => {
  const { mock, world } = await startWith({ name: 'a' });
  const { status, body } = await send(`${world.control_url}/stop`, { method: 'POST' });
  expect([status, body]).toEqual([200, { stopping: true }]);
  await expect.poll(() => mock.worlds.list()).toMatchObject([{ name: 'main' }]);
  expect((await send(`${mock.controlUrl}/health`)).status).toBe(200);
});
