import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { beforeEach, expect, test } from 'vitest';
import { type KeptMock, type KeptOptions, MockError, type StartOptions } from '../start.ts';
import { openReceiver } from '../testing/open-mock.ts';
import { freePort } from '../testing/postgres-server.ts';
import { hook, logIn, send, startTestMock } from '../testing/started-mock.ts';
import { pathOfTest } from '../testing/test-store.ts';
import { demoSeedOf } from '../world/demo-world.ts';
import { StoreUnreachable } from './mock-options.ts';
import { waitForStore } from './wait-for-store.ts';

let store: string;
beforeEach(() => {
  store = `file:${pathOfTest()}`;
});

const start = (options: Partial<KeptOptions> = {}) => startTestMock({ store, ...options });

async function restart(mock: KeptMock, options: StartOptions = {}): Promise<KeptMock> {
  await mock.close();
  return start(options);
}

const username = 'mei@harbour-cafe.example';

async function askWith({ baseUrl }: KeptMock, token: string): Promise<number> {
  return (await send(`${baseUrl}/tenant/sites`, { token })).status;
}

/** Subscribes the URL, and publishes the site. */
async function publishTo({ control }: KeptMock, url: string, channel = 'custom'): Promise<void> {
  const values = { siteID: 101, ...hook(url), channel };
  await control.call({ operation: 'createSubscription', username, values });
  await control.call({ operation: 'publishSite', username, values: { siteID: 101, note: 'a' } });
}

test('a store persists the whole world', async () => {
  const first = await start({ clock: 'manual', seed: 5 });
  const token = await logIn(first);
  const inbox = first.control.inbox('ci');
  await inbox.configure({ secret: 'whsec_x' });
  await first.control.override({ operation: 'listKeys', status: 500, times: 3 });
  await publishTo(first, inbox.url);
  await first.control.drain();
  await first.control.advance('PT5M');
  const before = await first.control.world();
  const second = await restart(first);
  expect(await second.control.world()).toEqual(before);
  expect(second.tenants).toEqual(first.tenants);
  expect((await second.control.clock()).mode).toBe('manual');
  expect(await askWith(second, token)).toBe(200);
  expect((await second.control.inbox('ci').messages()).messages).toHaveLength(1);
  await second.control.reset();
  expect(await askWith(second, token)).toBe(401);
  const third = await restart(second);
  expect((await third.control.inboxes()).inboxes).toEqual([]);
  expect(await askWith(third, token)).toBe(401);
});

test('resends a push that was in progress when the mock ended', async () => {
  let isSilent = true;
  const receiver = await openReceiver(() => (isSilent ? undefined : { status: 200 }));
  const first = await start();
  await publishTo(first, receiver.url);
  await expect.poll(() => receiver.received.length).toBe(1);
  await first.close();
  isSilent = false;
  const second = await start();
  await expect
    .poll(async () => (await second.control.delivery(1)).state, { timeout: 10_000 })
    .toBe('delivered');
});

test.each<[string, StartOptions, string]>([
  ['a seed', { seed: 2 }, 'with another seed, 1'],
  ['a profile', { profile: 'nested-201-uuid' }, 'with another profile, default'],
  ['a number of tenants', { tenants: 3 }, 'from another initial world'],
  ['a world', { world: demoSeedOf(1) }, 'from another initial world'],
])('refuses %s that differs from the store, and accepts the same', async (_what, options, problem) => {
  await (await start({ profile: 'default', seed: 1, tenants: 2 })).close();
  const advice = 'omit that option to continue this world, or use another store';
  const error = new MockError(`the store ${store} contains a world that was created ${problem}; ${advice}`);
  await expect(start(options)).rejects.toThrow(error);
  await (await start({ profile: 'default', seed: 1, tenants: 2 })).close();
});

test('uses the profile, seed and world of the store by default', async () => {
  const world = {
    tenants: [{ name: 'Solo', users: [{ username, password: 'demo-password-mei' }], sites: [] }],
  };
  const first = await start({ profile: 'nested-201-uuid', seed: 9, world: world as never });
  const { profile } = await first.control.health();
  const second = await restart(first);
  expect((await second.control.health()).profile).toEqual(profile);
  expect(second.tenants).toEqual(first.tenants);
  await second.control.reset();
  expect(second.tenants).toEqual(first.tenants);
});

test('a start can change the mode of the clock', async () => {
  const first = await start({ clock: 'manual' });
  const { now } = await first.control.clock();
  const second = await restart(first, { clock: 'real' });
  expect((await second.control.clock()).mode).toBe('real');
  expect(Date.parse((await second.control.clock()).now) - Date.parse(now)).toBeLessThan(60_000);
});

test('faults stay on with their memory until others are chosen', async () => {
  const counting = 'trace-id-after-a-hundred-answers-again';
  const trace = async (mock: KeptMock) => {
    const { answer } = await mock.control.call({ operation: 'listSites', username });
    return (answer as { trace_id: string }).trace_id;
  };
  // Each call logs in first.
  let mock = await start({ faults: [counting] });
  expect(await trace(mock)).toBe('trace-2');
  mock = await restart(mock);
  expect([(await mock.control.faults()).on, await trace(mock)]).toEqual([[counting], 'trace-4']);
  mock = await restart(mock, { faults: [counting] });
  expect(await trace(mock)).toBe('trace-6');
  mock = await restart(mock, { faults: ['no-trace-id-on-404'] });
  expect((await mock.control.faults()).on).toEqual(['no-trace-id-on-404']);
  await mock.control.setFaults([counting]);
  mock = await restart(mock);
  expect(await trace(mock)).toBe('trace-2');
  await mock.control.setFaults([]);
  mock = await restart(mock);
  expect((await mock.control.faults()).on).toEqual([]);
});

test('a fault affects retries of pushes from before a restart', async () => {
  const receiver = await openReceiver(() => ({ status: 503 }));
  const first = await start({ clock: 'manual', faults: ['wecom-retry-as-event-body'] });
  await publishTo(first, receiver.url, 'wecom');
  await first.control.drain();
  const second = await restart(first);
  await second.control.advance('PT1M');
  const sent = receiver.received.map(({ body }) => Object.keys(JSON.parse(body) as object).toSorted());
  expect(sent).toEqual([
    ['markdown', 'msgtype'],
    ['data', 'event', 'site_id', 'site_name', 'timestamp'],
  ]);
});

test('refuses to start a second mock on the same file, and leaves the first one running', async () => {
  const first = await start();
  await expect(start()).rejects.toThrow(/another process uses it/);
  const token = await logIn(first);
  expect(await askWith(first, token)).toBe(200);
});

test('loads no named world at a start, and refuses to reload main', async () => {
  const first = await start();
  await first.worlds.create({ name: 'ci' });
  await expect(first.reload(demoSeedOf(1))).rejects.toThrow('cannot load another world; use another store');
  const second = await restart(first);
  expect(second.worlds.list().map(({ name }) => name)).toEqual(['main']);
});

test('releases the store if the port is in use', async () => {
  const other = await startTestMock();
  await expect(start({ port: Number(new URL(other.baseUrl).port) })).rejects.toThrow('is in use');
  await start();
});

test.each<[string, StartOptions]>([
  ['an unknown fault', { faults: ['nothing'] }],
  ['an unknown variation', { variations: ['nothing'] }],
  ['a malformed host name', { hostNames: ['a b'] }],
])('releases the store after %s', async (_what, options) => {
  await expect(start(options)).rejects.toThrow(MockError);
  await start();
});

test('with `storeMigrate: never`, uses an existing file but creates none', async () => {
  const missing =
    /there are no tables yet; run `sitepub mock store migrate`, or start a mock without `--store-/;
  await expect(start({ storeMigrate: 'never' })).rejects.toThrow(missing);
  writeFileSync(store.replace('file:', ''), '');
  await expect(start({ storeMigrate: 'never' })).rejects.toThrow(missing);
  await (await start()).close();
  const { control } = await start({ storeMigrate: 'never' });
  expect((await control.health()).store).toEqual({ engine: 'SQLite', oldest_due_seconds: 0 });
});

function waitOn(open: () => Promise<string>, { waitMs = 10_000, port = 0 } = {}) {
  const logged: string[] = [];
  const host = '127.0.0.1';
  const log = (line: string) => void logged.push(line);
  return { opened: waitForStore(open, { waitMs, host, ports: [port], tls: undefined, log }), logged };
}

const unreachable = () => Promise.reject(new StoreUnreachable('store db is not there'));

test('a mock is live but not ready until its store can be reached', async () => {
  const port = await freePort();
  let isThere = false;
  const { opened, logged } = waitOn(async () => (isThere ? 'opened' : unreachable()), { port });
  const ask = async (path: string) => {
    const { status, headers, body } = await send(`http://127.0.0.1:${port}${path}`);
    return [status, headers.get('retry-after'), body];
  };
  await expect.poll(() => ask('/_mock/live')).toEqual([200, null, { live: true }]);
  for (const path of ['/_mock/ready', '/api/v1/tenant/sites'])
    expect(await ask(path)).toEqual([503, '1', { error: 'store db is not there' }]);
  isThere = true;
  expect(await opened).toBe('opened');
  expect(logged).toEqual(['store db is not there; trying again for 10 s']);
  // The port is free for the mock.
  const next = createServer().listen(port, '127.0.0.1');
  await once(next, 'listening');
  next.close();
});

test('gives up after the waiting time', async () => {
  await expect(waitOn(unreachable, { waitMs: 600 }).opened).rejects.toThrow('store db is not there');
});

test('does not wait after a permanent error', async () => {
  const { opened, logged } = waitOn(() => Promise.reject(new MockError('no rights')));
  await expect(opened).rejects.toThrow('no rights');
  expect(logged).toEqual([]);
});
