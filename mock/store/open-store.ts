// Opens what `--store` names.
import { resolve } from 'node:path';
import type { World } from '../world/world.ts';
import { type Engine, StoreError } from './engine.ts';
import { createStore, type Store } from './store.ts';
import { toWorld } from './world-rows.ts';

export interface OpenedStore {
  /** Such as "file:mock.db". */
  url: string;
  /** How its world began, as JSON, and that world; nothing of an empty store. */
  found: { setup: string; world: World } | undefined;
  /** Keeps a world from now on: the one that was found, or another. */
  keep(world: World, log: (line: string) => void): Store;
  /** Ends it without a world. */
  close(): Promise<void>;
}

/** Throws a StoreError. */
export async function openStore(url: string): Promise<OpenedStore> {
  const engine = await openEngine(url);
  try {
    return await open(readable(url), engine);
  } catch (error) {
    await engine.close();
    throw error;
  }
}

async function openEngine(url: string): Promise<Engine> {
  // Each is loaded on demand, and so is its driver.
  if (/^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url))
    return (await import('./postgres.ts')).openPostgres(url);
  const [, path = ''] = /^file:(?:\/\/(?=\/))?(.+)$/s.exec(url) ?? [];
  if (path !== '') return (await import('./sqlite.ts')).openSqlite(resolve(path));
  throw new StoreError(
    `the store ${JSON.stringify(readable(url))} is none; expected a file, such as file:mock.db, or a database, such as postgres://sitepub@localhost/sitepub`,
  );
}

/** Without the password. */
function readable(url: string): string {
  return url.replace(/(:\/\/[^/@:]*):[^/@]*@/, '$1@');
}

async function open(url: string, engine: Engine): Promise<OpenedStore> {
  const setup = await engine.readSetup();
  const rows = setup === undefined ? undefined : await engine.load();
  const found = setup !== undefined && rows ? { setup, world: readWorld(url, rows) } : undefined;
  return {
    url,
    found,
    keep: (world, log) =>
      createStore({ engine, world, log, found: world === found?.world ? rows : undefined }),
    close: engine.close,
  };
}

function readWorld(url: string, rows: Parameters<typeof toWorld>[0]): World {
  try {
    return toWorld(rows);
  } catch {
    throw new StoreError(`store ${url}: what it keeps is damaged; name another file, and keep this one`);
  }
}
