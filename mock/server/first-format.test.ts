// A mock goes on with a world that was kept in the first format.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { startMock } from '../start.ts';
import type { KeptRows } from '../store/rows/row.ts';
import { sqliteMigrations } from '../store/sqlite/migrations.ts';

const fixture = new URL('../store/rows/testing/first-world.json', import.meta.url);
const { token, setup, head, rows } = JSON.parse(readFileSync(fixture, 'utf8')) as KeptRows & {
  token: string;
  setup: string;
};

/** A file with the first tables. */
function writeFirstStore(path: string): void {
  const db = new DatabaseSync(path);
  db.exec(`${sqliteMigrations[0]?.sql} pragma user_version = 1;`);
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
