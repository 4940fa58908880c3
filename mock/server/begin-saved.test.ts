import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { type StartedMock, type StartOptions, startMock } from '../start.ts';
import type { KeptRows } from '../store/rows.ts';
import { sqliteSchema } from '../store/sqlite/file.ts';
import { openReceiver } from '../testing/open-mock.ts';

async function start(options: StartOptions): Promise<StartedMock> {
  const mock = await startMock(options);
  onTestFinished(() => mock.close());
  return mock;
}

async function send(
  { baseUrl }: StartedMock,
  path: string,
  { token, body }: { token: string; body?: object },
) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
  return (await (await fetch(baseUrl + path, init)).json()) as {
    code: number;
    data: { token: string };
  };
}

/** A world in which something has happened, its key, and a session. */
async function saveWorld(url = 'http://127.0.0.1:1/') {
  const mock = await start({ clock: 'manual' });
  const [harbour] = mock.tenants;
  const key = String(harbour?.apiKey);
  await send(mock, '/tenant/sites', { token: key, body: { site_name: 'Quay' } });
  const { data } = await send(mock, '/auth/tenant/login', { token: '', body: harbour?.users[0] ?? {} });
  const hook = { url, events: ['publish.complete'], channel: 'custom' };
  await send(mock, '/tenant/sites/101/webhooks', { token: key, body: hook });
  mock.control.causeEvent({ event: 'publish.complete', site_id: 101 });
  await mock.control.drain();
  return { snapshot: await mock.control.world(), key, session: data.token, tenants: mock.tenants };
}

test('a mock that begins with a saved world is the one that was saved', async () => {
  const { snapshot, key, session, tenants } = await saveWorld();
  const mock = await start({ world: snapshot });
  expect(await mock.control.world()).toEqual(snapshot);
  expect((await send(mock, '/tenant/sites/1001', { token: key })).code).toBe(0);
  expect((await send(mock, '/tenant/sites', { token: session })).code).toBe(0);
  const sites = [...(tenants[0]?.sites ?? []), { id: 1001, name: 'Quay' }];
  expect(mock.tenants).toEqual([{ ...tenants[0], sites }, tenants[1]]);
});

test('a reset goes back to what was saved', async () => {
  const { snapshot, key } = await saveWorld();
  const mock = await start({ world: snapshot });
  await send(mock, '/tenant/sites', { token: key, body: { site_name: 'Pier' } });
  await mock.control.reset();
  expect(await mock.control.world()).toEqual(snapshot);
});

test('retries that were to come do come, and at once where the time has passed', async () => {
  const receiver = await openReceiver(() => ({ status: 200 }));
  const { snapshot } = await saveWorld();
  for (const delivery of Object.values(snapshot.deliveries)) delivery.url = receiver.url;
  const mock = await start({ world: { ...snapshot, clock: { mode: 'real', offset: 0 } } });
  await expect.poll(() => receiver.received.length).toBe(1);
  await mock.control.drain();
  expect(mock.control.deliveries().deliveries).toMatchObject([{ state: 'delivered' }]);
});

test('the clock goes as it did, unless it is told otherwise', async () => {
  const { snapshot } = await saveWorld();
  expect((await start({ world: snapshot })).control.clock()).toEqual({
    mode: 'manual',
    now: '2026-01-01T00:00:00.000Z',
  });
  const running = (await start({ world: snapshot, clock: 'real' })).control.clock();
  expect(running).toMatchObject({ mode: 'real', now: expect.stringMatching(/^2026-01-01T00:00:0/) });
});

test('passwords and keys are shown where they are those of the demo world', async () => {
  const { snapshot } = await saveWorld();
  for (const user of Object.values(snapshot.users)) user.salt = 'other';
  const other = await start({ world: snapshot, seed: 7 });
  expect(other.tenants.map(({ users, apiKey }) => [users, apiKey])).toEqual([
    [[], undefined],
    [[], undefined],
  ]);
});

test('a saved world is read from its file, and what is wrong with it is said with its name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-saved-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [good, bad, odd] = ['good.json', 'bad.json', 'odd.json'].map((name) => join(folder, name));
  const { snapshot } = await saveWorld();
  writeFileSync(String(good), JSON.stringify(snapshot));
  expect(await (await start({ world: String(good) })).control.world()).toEqual(snapshot);
  writeFileSync(String(bad), JSON.stringify({ ...snapshot, sites: { x: {} } }));
  await expect(startMock({ world: String(bad) })).rejects.toThrow(`${bad}: /sites`);
  writeFileSync(String(odd), JSON.stringify({ ...snapshot, sites: { 7: snapshot.sites[101] } }));
  await expect(startMock({ world: String(odd) })).rejects.toThrow(
    `${odd}: /sites/7: its id is 101; both must be the same`,
  );
});

// A mock goes on with a world that was kept in the first format.
const fixture = new URL('../store/testing/first-world.json', import.meta.url);
const { token, setup, head, rows } = JSON.parse(readFileSync(fixture, 'utf8')) as KeptRows & {
  token: string;
  setup: string;
};

/** A file with the first tables. */
function writeFirstStore(path: string): void {
  const db = new DatabaseSync(path);
  db.exec(sqliteSchema);
  db.prepare('update sitepub_world set setup = ?, head = ?').run(setup, head);
  const insert = db.prepare('insert into sitepub_entry values (1, ?, ?, ?, ?)');
  for (const { kind, key, ord, value } of rows) insert.run(kind, key, ord, value);
  db.close();
}

test('sessions, faults, pushes and inboxes of a world of the first format go on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-first-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'mock.db');
  writeFirstStore(path);
  const { control, baseUrl, close } = await startMock({ store: `file:${path}` });
  onTestFinished(close);
  const answer = await fetch(`${baseUrl}/tenant/sites`, { headers: { authorization: `Bearer ${token}` } });
  expect(answer.status).toBe(200);
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
