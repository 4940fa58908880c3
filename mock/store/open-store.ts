// Opens what `--store` names.
import { resolve } from 'node:path';
import type { Metrics } from '../metrics/metrics.ts';
import { mainWorld, type World } from '../world/world.ts';
import type { Engine, OpenOptions } from './engine.ts';
import { toWorld } from './rows.ts';
import type { WorldRecord, WorldTable } from './sql/worlds.ts';
import { createStore, type Store } from './store.ts';
import { readKept, StoreError } from './store-error.ts';
import { fileOf, showStoreUrl } from './store-url.ts';
import { createTurnLoop } from './turn-loop.ts';

export type OpenedStore = Awaited<ReturnType<typeof openStore>>;

/** The worlds by name. */
export interface StoredWorlds extends Omit<WorldTable, 'due'> {
  /** Where the store is, without secrets. */
  place: string;
  /** The names of the worlds that are due now, and that this process does not have in memory. */
  due(): Promise<string[]>;
  /** Throws a StoreError if that can't be. */
  open(record: WorldRecord): Promise<OpenedWorld>;
}

/** A world as the store has it. */
export interface OpenedWorld {
  /** How the world began, as JSON; undefined: it has not begun. */
  setup: string | undefined;
  /** Undefined: it has not begun. */
  world: World | undefined;
  /** Persists a world from now on: the one that was found, or another. */
  keep(world: World, log: (line: string) => void): Store;
}

/** Throws a StoreError. */
export async function openStore(
  url: string,
  log: (line: string) => void,
  metrics: Metrics,
  options?: OpenOptions,
) {
  const engine = await openEngine(url, options);
  const loop = createTurnLoop({ engine, log, metrics });
  const place = showStoreUrl(url);
  /** Closes the store after its worlds have ended. Never fails. */
  const close = async () => {
    loop.close();
    await loop.idle();
    await engine.close();
  };

  async function open({ id, setup }: WorldRecord): Promise<OpenedWorld> {
    const rows = setup === undefined ? undefined : await engine.load(id);
    const found = rows && readKept(place, () => toWorld(rows));
    const parts = { engine, loop, worldId: id };
    return {
      setup,
      world: found,
      keep: (world, log) => createStore({ ...parts, world, found: world === found ? rows : undefined, log }),
    };
  }

  try {
    const record = await engine.worlds.find(mainWorld);
    if (!record) throw new StoreError(`store ${place}: its world "main" is gone; name another store`);
    const due = () => engine.worlds.due(loop.worldIds());
    const worlds: StoredWorlds = { ...engine.worlds, place: engine.place, due, open };
    return {
      /** Such as "file:mock.db". */
      url: place,
      /** The world main. */
      main: await open(record),
      worlds,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openEngine(url: string, options?: OpenOptions): Promise<Engine> {
  const path = fileOf(url);
  // Engines and their drivers are loaded on demand.
  if (path === undefined) return (await import('./postgres/open-postgres.ts')).openPostgres(url, options);
  return (await import('./sqlite/open-sqlite.ts')).openSqlite(resolve(path), options);
}
