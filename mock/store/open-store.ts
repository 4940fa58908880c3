import { resolve } from 'node:path';
import type { Metrics } from '../metrics/metrics.ts';
import { mainWorld, type World } from '../world/world.ts';
import type { Engine, OpenOptions } from './engine.ts';
import { toWorld } from './rows.ts';
import type { WorldRecord } from './sql/worlds.ts';
import { createStore } from './store.ts';
import { readStored, StoreError } from './store-error.ts';
import { fileOf, showStoreUrl } from './store-url.ts';
import { createTurnLoop } from './turn-loop.ts';

export type OpenedStore = Awaited<ReturnType<typeof openStore>>;
export type StoredWorlds = OpenedStore['worlds'];
export type OpenedWorld = OpenedStore['main'];

/** Throws a StoreError if the store can't be opened. */
export async function openStore(
  url: string,
  log: (line: string) => void,
  metrics: Metrics,
  options?: OpenOptions,
) {
  const engine = await openEngine(url, options);
  const loop = createTurnLoop({ engine, log, metrics });
  const place = showStoreUrl(url);
  /** Call it after all worlds have ended. Never fails. */
  const close = async () => {
    loop.close();
    await loop.idle();
    await engine.close();
  };

  /** Throws a StoreError if the world can't be read. */
  async function open({ id, setup }: WorldRecord) {
    const rows = setup === undefined ? undefined : await engine.load(id);
    const found = rows && readStored(place, () => toWorld(rows));
    const parts = { engine, loop, worldId: id };
    return {
      setup,
      /** Undefined: nothing was persisted yet. */
      world: found,
      /** Persists a world from now on; a world other than `world` replaces the stored one. */
      persist: (world: World, log: (line: string) => void) =>
        createStore({ ...parts, world, found: world === found ? rows : undefined, log }),
    };
  }

  try {
    const record = await engine.worlds.find(mainWorld);
    if (!record) throw new StoreError(`store ${place}: the world "main" is missing; use another store`);
    /** The names of worlds with due jobs that this process has not loaded. */
    const due = () => engine.worlds.due(loop.worldIds());
    const worlds = { ...engine.worlds, place: engine.place, due, open };
    return { url: place, main: await open(record), worlds, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openEngine(url: string, options?: OpenOptions): Promise<Engine> {
  const path = fileOf(url);
  if (path === undefined) return (await import('./postgres/open-postgres.ts')).openPostgres(url, options);
  return (await import('./sqlite/open-sqlite.ts')).openSqlite(resolve(path), options);
}
