// A version of sitepub on a store, and the database that it uses.
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { createMetrics } from '../../metrics/metrics.ts';
import { makeSchema, type PostgresServer } from '../../testing/postgres-server.ts';
import { createEmptyWorld, type World } from '../../world/world.ts';
import type { OpenOptions } from '../engine.ts';
import { openStore } from '../open-store.ts';

/** The world main of a version of sitepub. */
export async function openVersion(url: string, options: OpenOptions) {
  const opened = await openStore(url, () => {}, createMetrics(), options);
  const { main } = opened;
  const world = main.world ?? createEmptyWorld(1, { mode: 'manual', time: 1_767_225_600_000 });
  const store = main.keep(world, () => {});
  if (main.setup === undefined) store.begin('{}');
  await store.turn(() => {});
  let isOpen = true;
  const close = async () => {
    if (isOpen) {
      isOpen = false;
      await store.close();
      await opened.close();
    }
  };
  onTestFinished(close);
  return { world, store, opened, close, add: (name: string) => store.turn(() => addUser(world, name)) };
}

function addUser(world: World, name: string): void {
  world.users.set(name, { tenantId: 1, salt: '', passwordDigest: '', isKnown: true } as never);
}

/** In a schema of its own. Answers SQL, too. */
export async function openTables(database: PostgresServer) {
  const url = await makeSchema(database);
  const db = new Client({ connectionString: url });
  await db.connect();
  onTestFinished(() => db.end());
  const ask = async (sql: string) => (await db.query<Record<string, unknown>>(sql)).rows;
  return { url, ask };
}
