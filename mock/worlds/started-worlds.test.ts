import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type StartOptions, startMock } from '../start.ts';
import { openControl } from '../testing/open-control.ts';
import { startTestMock } from '../testing/started-mock.ts';
import { createNamedWorlds } from './named-worlds.ts';
import { createSharedBytes } from './shared-bytes.ts';
import type { Shelf } from './shelf.ts';
import type { NamedNote } from './started-worlds.ts';
import { chooseWorld, isWorldName } from './world-names.ts';

const start = (options: StartOptions = {}) => startTestMock({ clock: 'manual', ...options });

test('creates a world with its own name, addresses and control', async () => {
  const mock = await start({ seed: 3 });
  const world = await mock.worlds.create({ name: 'worker-1', clock: 'real', controlToken: true });
  expect(world).toMatchObject({
    name: 'worker-1',
    baseUrl: mock.baseUrl.replace('/api/v1', '/w/worker-1/api/v1'),
    controlUrl: mock.controlUrl.replace('/_mock', '/w/worker-1/_mock'),
    controlToken: expect.stringMatching(/^[0-9a-f]{48}$/),
    tenants: mock.tenants,
  });
  expect(world.control.clock().mode).toBe('real');
  expect(world.control.inbox('ci').url).toBe(`${world.controlUrl}/inbox/ci`);
  await world.end();
  expect(mock.worlds.list().map(({ name }) => name)).toEqual(['main']);
  // The old handle does not end a new world of the same name.
  await mock.worlds.create({ name: 'worker-1' });
  await world.end();
  expect(mock.worlds.list()).toHaveLength(2);
});

test.each([
  [{ name: 'a', profile: 'nowhere.yaml' }, "can't be read"],
  [{ name: 'a', expiresIn: 'soon' }, 'expected a positive duration'],
  [{ name: 'ä' }, 'invalid world name "ä"; a name has 1 to 63'],
])('refuses %j', async (options, reason) => {
  const mock = await start();
  await expect(mock.worlds.create(options)).rejects.toThrow(reason);
});

test('refuses a taken name, and to end an unknown world', async () => {
  const mock = await start();
  const both = [mock.worlds.create({ name: 'a' }), mock.worlds.create({ name: 'a' })];
  expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  await expect(mock.worlds.end('b')).rejects.toThrow(
    'there is no world "b"; create one with POST /_mock/worlds',
  );
});

test('builds a world once if it is created while the store looks for it', async () => {
  const { service: mock } = openControl();
  const place = { name: 'a', tokenDigest: undefined, createdAt: 0, expiresAt: undefined, endsAt: undefined };
  const stored = { ...place, settings: { profile: mock.profile, seed: 1, clock: 'manual' as const } };
  const found = Promise.withResolvers<typeof stored>();
  const build = vi.fn(async () => mock);
  const shelf = { find: () => found.promise, add: async () => stored } as unknown as Shelf;
  const worlds = createNamedWorlds({ build, shelf });
  const loaded = worlds.load('a');
  await worlds.create({ ...stored, expiresIn: undefined });
  found.resolve(stored);
  await loaded;
  expect(build).toHaveBeenCalledOnce();
});

test('reports events of all worlds, with the name of each except main', async () => {
  const mock = await start();
  const early = await mock.worlds.create({ name: 'early' });
  const heard: NamedNote[] = [];
  const end = mock.worlds.watch((notes) => heard.push(...notes));
  const late = await mock.worlds.create({ name: 'late' });
  for (const { control } of [mock, early, late]) await control.advance('PT1S');
  await nextTurn();
  await early.end();
  await fetch(`${early.baseUrl}/tenant/sites`);
  await nextTurn();
  end();
  await late.control.advance('PT1S');
  const now = '2026-01-01T00:00:01.000Z';
  expect(heard).toEqual([
    { type: 'world', at: '2026-01-01T00:00:00.000Z', world: 'late', change: 'begun' },
    { type: 'clock', mode: 'manual', now },
    { type: 'clock', mode: 'manual', now, world: 'early' },
    { type: 'clock', mode: 'manual', now, world: 'late' },
    { type: 'world', at: now, world: 'early', change: 'ended' },
    expect.objectContaining({
      type: 'request',
      path: '/w/early/api/v1/tenant/sites',
      status: 404,
      refusal: expect.stringMatching(/^there is no world "early"; it ended at /),
    }),
  ]);
});

test('closing a mock ends its worlds', async () => {
  const mock = await startMock({ clock: 'manual' });
  const world = await mock.worlds.create({ name: 'a', expiresIn: 'PT1H' });
  const stream = await fetch(`${world.controlUrl}/stream`);
  await mock.close();
  expect(await stream.text()).toMatch(/^: listening/);
  await expect(mock.worlds.create({ name: 'b' })).rejects.toThrow('the mock is shutting down');
});

test.each([
  ['/world/x', undefined, undefined],
  ['/w/pr-1/api/v1/tenant/sites?x=/w/y', undefined, { name: 'pr-1', url: '/api/v1/tenant/sites?x=/w/y' }],
  ['/w/pr%2D1/_mock', undefined, { name: 'pr-1', url: '/_mock' }],
  ['/w/pr-1?x=1', undefined, { name: 'pr-1', url: '/?x=1' }],
  ['/w//api/v1', undefined, { name: '', url: '/api/v1' }],
  ['/w/%zz/api/v1', undefined, { name: '%zz', url: '/api/v1' }],
  ['/w/a/w/b/api/v1', undefined, { name: 'a', url: '/w/b/api/v1' }],
  ['http://evil.example/w/a/_mock/world', undefined, { name: 'a', url: 'http://evil.example/_mock/world' }],
  ['/w/a/api/v1', 'a', { name: 'a', url: '/api/v1' }],
  ['/api/v1', '', { name: '', url: '/api/v1' }],
] as const)('%s with the header %s selects %j', (url, header, wanted) => {
  expect(chooseWorld(url, header === undefined ? {} : { 'x-sitepub-world': header })).toEqual(wanted);
});

test('accepts only names that paths and file systems leave unchanged', () => {
  const good = ['a', '7', 'pr-4711', 'A.b_c', 'x'.repeat(63)];
  const bad = ['', '.', '..', '-a', '.a', 'a/b', 'a b', 'é', 'a%2f', 'a\n', 'x'.repeat(64)];
  expect(good.map(isWorldName)).toEqual(good.map(() => true));
  expect(bad.map(isWorldName)).toEqual(bad.map(() => false));
});

async function fill({ app }: ReturnType<typeof openControl>, count: number, size = 100_000) {
  const payload = Buffer.alloc(size, 'x');
  for (let sent = 0; sent < count; sent++)
    await app.inject({ method: 'POST', url: '/_mock/inbox/ci', payload });
}

/** Two worlds that share 3 MB. */
function openTwo() {
  const shared = createSharedBytes(3_000_000);
  const [large, small] = [openControl(), openControl()];
  for (const { service } of [large, small]) shared.add(service);
  return { shared, large, small };
}

test('over the shared limit, only the largest world drops its oldest entries', async () => {
  const { shared, large, small } = openTwo();
  await fill(small, 5);
  await fill(large, 40);
  const inboxes = [large, small].map(({ control }) => control.inbox('ci').messages());
  expect(shared.bytes()).toBeLessThan(3_000_000);
  expect(shared.bytes()).toBeGreaterThan(1_000_000);
  expect(inboxes.map(({ dropped }) => dropped > 0)).toEqual([true, false]);
  expect(inboxes[0]?.messages.at(-1)?.id).toBe(40);
  shared.remove(large.service);
  expect(shared.bytes()).toBeLessThan(700_000);
});

test('measures a grown world again before it makes room', async () => {
  const { shared, large, small } = openTwo();
  await fill(large, 25);
  const text = 'x'.repeat(100_000);
  for (let id = 1001; id <= 1080; id++)
    large.service.world.comments.set(id, { id, siteId: 101, author: '', text, at: id });
  await fill(small, 1, 800_000);
  expect(shared.bytes()).toBeLessThan(3_000_000);
});

test('counts requests, and measures a replaced world again', async () => {
  const shared = createSharedBytes();
  const mock = openControl();
  shared.add(mock.service);
  const before = shared.bytes();
  await mock.perform('login', { username: 'x'.repeat(8000), password: 'y' });
  expect(shared.bytes() - before).toBeGreaterThan(8000);
  await fill(mock, 2);
  expect(shared.bytes() - before).toBeGreaterThan(200_000);
  await mock.control.reset();
  expect(shared.bytes() - before).toBeLessThan(1000);
});

test('frees the memory of an ended world', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const mock = await startMock({ clock: 'manual' });
  const held: WeakRef<object>[] = [];
  for (const name of ['a', 'b']) {
    const { controlUrl, control } = await mock.worlds.create({ name, expiresIn: 'PT1H' });
    await fetch(`${controlUrl}/inbox/ci`, { method: 'POST', body: 'x' });
    await control.advance('PT1M');
    held.push(new WeakRef(control));
  }
  await mock.worlds.end('a');
  // Pending work ends, and the engine reuses its registers.
  for (let round = 0; round < 20 && held[0]?.deref(); round++) {
    await sleep(20);
    collect();
  }
  expect(held.map((one) => one.deref() === undefined)).toEqual([true, false]);
  await mock.close();
});

const program = fileURLToPath(new URL('../../cli/sitepub.mjs', import.meta.url));

test('accepts at most 100 worlds besides main', { tags: ['nightly'] }, async () => {
  const mock = await start();
  for (let count = 0; count < 100; count++) await mock.worlds.create({ name: `w${count}` });
  await expect(mock.worlds.create({ name: 'more' })).rejects.toThrow(
    'there are 100 worlds already; end one with',
  );
  await mock.worlds.end('w7');
  await mock.worlds.create({ name: 'more' });
  expect(mock.worlds.list()).toHaveLength(101);
});

test.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s ends the command and its world', { tags: ['nightly'] }, async (signal, code) => {
  const mock = await start();
  const begun = Promise.withResolvers<void>();
  mock.worlds.watch((notes) => {
    if (notes.some((note) => note.type === 'request')) begun.resolve();
  });
  const script = `fetch(process.env.SITEPUB_BASE_URL); setTimeout(() => {}, 20_000)`;
  const args = ['exec', '--in-running-mock', '--', process.execPath, '-e', script];
  const child = spawn(process.execPath, [program, ...args], {
    stdio: 'inherit',
    env: { ...process.env, SITEPUB_CONTROL_URL: mock.controlUrl },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await begun.promise;
  expect(mock.worlds.list()).toHaveLength(2);
  child.kill(signal);
  expect(await once(child, 'exit')).toEqual([code, null]);
  expect(mock.worlds.list()).toHaveLength(1);
});
