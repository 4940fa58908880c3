// Opens what `--store` names.
import { resolve } from 'node:path';
import type { Metrics } from '../metrics/metrics.ts';
import { mainWorld, type World } from '../world/world.ts';
import {
  type Engine,
  type OpenOptions,
  readKept,
  StoreError,
  type WorldRecord,
  type WorldTable,
} from './engine.ts';
import { toWorld } from './rows.ts';
import { createStore, type Store } from './store.ts';
import { parseStoreUrl, showStoreUrl } from './store-url.ts';
import { createTurnLoop } from './turn-loop.ts';

export interface OpenedStore {
  /** Such as "file:mock.db". */
  url: string;
  /** The world main. */
  main: OpenedWorld;
  /** The worlds by name. */
  worlds: StoredWorlds;
  /** Closes the store after its worlds have ended. Never fails. */
  close(): Promise<void>;
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

/** Each method throws a StoreError if that can't be. */
export interface StoredWorlds extends Omit<WorldTable, 'due'> {
  /** Where the store is, without secrets. */
  place: string;
  /** The names of the worlds that are due now, and that this process does not have in memory. */
  due(): Promise<string[]>;
  open(record: WorldRecord): Promise<OpenedWorld>;
}

/** Throws a StoreError. */
export async function openStore(
  url: string,
  log: (line: string) => void,
  metrics: Metrics,
  options?: OpenOptions,
): Promise<OpenedStore> {
  const engine = await openEngine(url, options);
  const loop = createTurnLoop({ engine, log, metrics });
  const close = async () => {
    loop.close();
    await loop.idle();
    await engine.close();
  };
  try {
    const place = showStoreUrl(url);
    const record = await engine.worlds.find(mainWorld);
    if (!record) throw new StoreError(`store ${place}: its world "main" is gone; name another store`);
    const open = async ({ id, setup }: WorldRecord): Promise<OpenedWorld> => {
      const rows = setup === undefined ? undefined : await engine.load(id);
      const found = rows && readKept(place, () => toWorld(rows));
      const parts = { engine, loop, worldId: id };
      return {
        setup,
        world: found,
        keep: (world, log) =>
          createStore({ ...parts, world, found: world === found ? rows : undefined, log }),
      };
    };
    const due = () => engine.worlds.due(loop.worldIds());
    const worlds = { ...engine.worlds, due, open, place: engine.place };
    return { url: place, main: await open(record), worlds, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openEngine(url: string, options?: OpenOptions): Promise<Engine> {
  const { engine, path } = parseStoreUrl(url);
  // Engines and their drivers are loaded on demand.
  if (engine === 'postgres') return (await import('./postgres/open-postgres.ts')).openPostgres(url, options);
  return (await import('./sqlite/open-sqlite.ts')).openSqlite(resolve(path), options);
}
