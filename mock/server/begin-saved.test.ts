import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { startMock } from '../start.ts';
import type { StoredRows } from '../store/rows.ts';
import { sqliteSchema } from '../store/sqlite/open-sqlite.ts';
import { openReceiver } from '../testing/open-mock.ts';
import { hook, logIn, makeFolder, send, startTestMock as start } from '../testing/started-mock.ts';
import { pathOfTest } from '../testing/test-store.ts';

/** A world in which something has happened, its key, and a session. */
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

test('a mock that begins with a saved world is the one that was saved, and so it is after a reset', async () => {
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

test('retries that were to come do come, and at once where the time has passed', async () => {
  const receiver = await openReceiver(() => ({ status: 200 }));
  const { snapshot } = await saveWorld();
  for (const delivery of Object.values(snapshot.deliveries)) delivery.url = receiver.url;
  const { control } = await start({ world: { ...snapshot, clock: { mode: 'real', offset: 0 } } });
  await expect.poll(() => receiver.received.length).toBe(1);
  await control.drain();
  expect(control.deliveries().deliveries).toMatchObject([{ state: 'delivered' }]);
});

test.each([
  ['as it did, unless it is told otherwise', {}, { mode: 'manual', now: '2026-01-01T00:00:00.000Z' }],
  ['as it is told', { clock: 'real' }, { mode: 'real', now: expect.stringMatching(/^2026-01-01T00:00:0/) }],
] as const)('the clock of a saved world goes %s', async (_case, options, want) => {
  const { snapshot } = await saveWorld();
  expect((await start({ world: snapshot, ...options })).control.clock()).toEqual(want);
});

test('the clock of a named world goes as that is told, though the mock began with a saved world', async () => {
  const { snapshot } = await saveWorld();
  const { worlds } = await start({ world: snapshot });
  expect((await worlds.create({ name: 'same' })).control.clock().mode).toBe('manual');
  expect((await worlds.create({ name: 'other', clock: 'real' })).control.clock().mode).toBe('real');
});

test('passwords and keys are shown where they are those of the demo world', async () => {
  const { snapshot } = await saveWorld();
  for (const user of Object.values(snapshot.users)) user.salt = 'other';
  const { tenants } = await start({ world: snapshot, seed: 7 });
  expect(tenants).toMatchObject(Array(2).fill({ users: [], apiKey: undefined }));
});

test('a saved world is read from its file, and what is wrong with it is said with its name', async () => {
  const { snapshot } = await saveWorld();
  const path = join(makeFolder(), 'saved.json');
  const save = (world: object) => writeFileSync(path, JSON.stringify(world));
  save(snapshot);
  expect(await (await start({ world: path })).control.world()).toEqual(snapshot);
  save({ ...snapshot, sites: { x: {} } });
  await expect(startMock({ world: path })).rejects.toThrow(`${path}: /sites`);
  save({ ...snapshot, sites: { 7: snapshot.sites[101] } });
  await expect(startMock({ world: path })).rejects.toThrow(
    `${path}: /sites/7: its id is 101; both must be the same`,
  );
});

// A mock goes on with a world that was kept in the first format.
const fixture = new URL('../store/testing/first-world.json', import.meta.url);
const { token, setup, head, rows } = JSON.parse(readFileSync(fixture, 'utf8')) as StoredRows & {
  token: string;
  setup: string;
};

test('a world of the first format is read as a whole, and its sessions, faults, pushes and inboxes go on', async () => {
  const path = pathOfTest();
  const db = new DatabaseSync(path);
  db.exec(sqliteSchema);
  db.prepare('update sitepub_world set setup = ?, head = ?').run(setup, head);
  const insert = db.prepare('insert into sitepub_entry values (1, ?, ?, ?, ?)');
  for (const { kind, key, ord, value } of rows) insert.run(kind, key, ord, value);
  db.close();
  const { control, baseUrl } = await start({ store: `file:${path}` });
  const { random: _, ...kept } = await control.world();
  expect(Object.entries(kept).filter(([, part]) => Object.keys(part).length === 0)).toEqual([]);
  expect(kept).toMatchObject({
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
