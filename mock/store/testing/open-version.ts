// A version of sitepub on a store, and what SQL tells of that.
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { createMetrics } from '../../metrics/metrics.ts';
import { makeSchema, type PostgresServer } from '../../testing/postgres-server.ts';
import { pathOfTest } from '../../testing/test-store.ts';
import { createEmptyWorld } from '../../world/world.ts';
import type { OpenOptions } from '../engine.ts';
import { openStore } from '../open-store.ts';

/** The world main of a version of sitepub. */
export async function openVersion(url: string, options: OpenOptions = {}) {
  const opened = await openStore(url, () => {}, createMetrics(), options);
  const { main } = opened;
  const world = main.world ?? createEmptyWorld(1, { mode: 'manual', time: 1_767_225_600_000 });
  const store = main.keep(world, () => {});
  await opened.worlds.begin('{}');
  await store.turn(() => {});
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await store.close();
    await opened.close();
  };
  onTestFinished(close);
  const user = { tenantId: 1, salt: '', passwordDigest: '' };
  const add = (name: string) => store.turn(() => void world.users.set(name, user));
  return { world, store, opened, close, add };
}

/** Where a store is, and what answers SQL there. */
export interface Place {
  url: string;
  ask(sql: string): Promise<Record<string, unknown>[]>;
}

/** Answers while no mock uses the file. */
export function placeInFile(): Place {
  const path = pathOfTest();
  return {
    url: `file:${path}`,
    async ask(sql) {
      const db = new DatabaseSync(path);
      const rows = db.prepare(sql).all();
      db.close();
      return rows;
    },
  };
}

/** In a schema of its own. */
export async function placeInDatabase(database: Pick<PostgresServer, 'url'>): Promise<Place> {
  const url = await makeSchema(database);
  const db = new Client({ connectionString: url });
  await db.connect();
  onTestFinished(() => db.end());
  return { url, ask: async (sql) => (await db.query<Record<string, unknown>>(sql)).rows };
}
