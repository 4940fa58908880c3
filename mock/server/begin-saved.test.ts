import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { startMock } from '../start.ts';
import { sqliteSchema } from '../store/sqlite/open-sqlite.ts';
import firstWorld from '../store/testing/first-world.json' with { type: 'json' };
import { openReceiver } from '../testing/open-mock.ts';
import { hook, logIn, makeFolder, send, startTestMock as start } from '../testing/started-mock.ts';
import { pathOfTest } from '../testing/test-store.ts';

async function saveWorld() {
  const mock = await start({ clock: 'manual' });
  const { baseUrl, control, tenants } = mock;
  const token = String(tenants[0]?.apiKey);
  await send(`${baseUrl}/tenant/sites`, { token, body: { site_name: 'Quay' } });
  const session = await logIn(mock);
  await send(`${baseUrl}/tenant/sites/101/webhooks`, { token, body: hook('http://127.0.0.1:1/') });
  control.causeEvent({ event: 'publish.complete', site_id: 101 });
  await control.drain();
  return { snapshot: await control.world(), key: token, session, tenants };
}

test('a mock that starts with a saved world equals the saved one, also after a reset', async () => {
  const { snapshot, key, session, tenants } = await saveWorld();
  const mock = await start({ world: snapshot });
  expect(await mock.control.world()).toEqual(snapshot);
  const site = await send(`${mock.baseUrl}/tenant/sites/1001`, { token: key });
  const listed = await send(`${mock.baseUrl}/tenant/sites`, { token: session });
  expect([site.body.code, listed.body.code]).toEqual([0, 0]);
  const sites = [...(tenants[0]?.sites ?? []), { id: 1001, name: 'Quay' }];
  expect(mock.tenants).toEqual([{ ...tenants[0], sites }, tenants[1]]);
  await send(`${mock.baseUrl}/tenant/sites`, { token: key, body: { site_name: 'Pier' } });
  await mock.control.reset();
  expect(await mock.control.world()).toEqual(snapshot);
});

test('makes pending retries, and overdue ones at once', async () => {
  const receiver = await openReceiver(() => ({ status: 200 }));
  const { snapshot } = await saveWorld();
  for (const delivery of Object.values(snapshot.deliveries)) delivery.url = receiver.url;
  const { control } = await start({ world: { ...snapshot, clock: { mode: 'real', offset: 0 } } });
  await expect.poll(() => receiver.received.length).toBe(1);
  await control.drain();
  expect(control.deliveries().deliveries).toMatchObject([{ state: 'delivered' }]);
});

test('the clock of a saved world runs as saved, or in the given mode', async () => {
  const { snapshot } = await saveWorld();
  const { control } = await start({ world: snapshot });
  expect(control.clock()).toEqual({ mode: 'manual', now: '2026-01-01T00:00:00.000Z' });
  const real = await start({ world: snapshot, clock: 'real' });
  const now = expect.stringMatching(/^2026-01-01T00:00:0/);
  expect(real.control.clock()).toEqual({ mode: 'real', now });
});

test('a named world has its own clock mode, even if the mock started with a saved world', async () => {
  const { snapshot } = await saveWorld();
  const { worlds } = await start({ world: snapshot });
  expect((await worlds.create({ name: 'same' })).control.clock().mode).toBe('manual');
  expect((await worlds.create({ name: 'other', clock: 'real' })).control.clock().mode).toBe('real');
});

test('shows passwords and keys only if they belong to the demo world', async () => {
  const { snapshot } = await saveWorld();
  for (const user of Object.values(snapshot.users)) user.salt = 'other';
  const { tenants } = await start({ world: snapshot, seed: 7 });
  expect(tenants).toMatchObject(Array(2).fill({ users: [], apiKey: undefined }));
});

test('reads a saved world from a file, and names the file in errors', async () => {
  const { snapshot } = await saveWorld();
  const path = join(makeFolder(), 'saved.json');
  const save = (world: object) => writeFileSync(path, JSON.stringify(world));
  save(snapshot);
  expect(await (await start({ world: path })).control.world()).toEqual(snapshot);
  save({ ...snapshot, sites: { 7: snapshot.sites[101] } });
  await expect(startMock({ world: path })).rejects.toThrow(
    `${path}: /sites/7: its id is 101; both must be the same`,
  );
});

test('continues a world of the first store format', async () => {
  const { token, setup, head, rows } = firstWorld;
  const path = pathOfTest();
  const db = new DatabaseSync(path);
  db.exec(sqliteSchema);
  db.prepare('update sitepub_world set setup = ?, head = ?').run(setup, head);
  const insert = db.prepare('insert into sitepub_entry values (1, ?, ?, ?, ?)');
  for (const { kind, key, ord, value } of rows) insert.run(kind, key, ord, value);
  db.close();
  const { control, baseUrl } = await start({ store: `file:${path}` });
  const { random: _, ...saved } = await control.world();
  expect(Object.entries(saved).filter(([, part]) => Object.keys(part).length === 0)).toEqual([]);
  expect(saved).toMatchObject({
    sites: { 101: { version: 9, isUnchanged: false } },
    overrides: [{ operation: 'publishSite', status: 503, times: 2 }],
    deliveries: { 1: { state: 'pending', attempts: [{ cause: 'event' }] } },
  });
  expect((await send(`${baseUrl}/tenant/sites`, { token })).status).toBe(200);
  expect((await control.inbox('ci').messages()).received).toBe(3);
  expect(await control.faults()).toMatchObject({ on: ['creation-shows-last-url'] });
  const pending = async () => (await control.deliveries({ state: 'pending' })).total;
  expect(await pending()).toBe(3);
  await control.advance('PT40M');
  expect(await pending()).toBe(0);
  await control.setFaults(['third-retry-missing']);
  expect(await control.faults()).toMatchObject({ on: ['third-retry-missing'] });
  await control.reset();
  expect((await control.deliveries()).total).toBe(0);
});
