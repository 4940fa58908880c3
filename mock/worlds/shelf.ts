// Named worlds in a store, which all its processes and later starts find.
import type { StoredWorlds } from '../store/open-store.ts';
import { readHead } from '../store/rows.ts';
import type { WorldRecord, WorldsPage } from '../store/sql/worlds.ts';
import { readStored } from '../store/store-error.ts';
import type { ClockState } from '../world/world.ts';
import { isWorldName, refuseFull, refuseTaken } from './world-names.ts';
import { type Lifetime, readSetup, type WorldBlueprint, writeSetup } from './world-settings.ts';

export interface WorldLine extends Omit<Lifetime, 'endsAt'> {
  id: number;
  name: string;
  profile: string;
  seed: number;
  hasToken: boolean;
  /** Undefined: the world has not begun. */
  clock: ClockState | undefined;
}

/** Limit of worlds in a store, for all its processes together. */
export const mostStored = 10_000;

export type Shelf = ReturnType<typeof createShelf>;

/** Each method rejects with a StoreError if the store fails. */
export function createShelf(worlds: StoredWorlds) {
  const { place: where, count, due } = worlds;

  return {
    async add(
      { name, tokenDigest, settings }: Omit<WorldBlueprint, keyof Lifetime>,
      expiresInMs: number | undefined,
    ): Promise<WorldBlueprint> {
      // `count` includes main.
      if ((await count()) > mostStored) throw refuseFull(`the store has ${mostStored}`);
      const { faults: _faults, ...chosen } = settings;
      const { profile, seed } = chosen;
      const setup = writeSetup({ ...chosen, tokenDigest });
      const summary = { profile: profile.name, seed, hasToken: tokenDigest !== undefined };
      const record = await worlds.add({ name, setup, summary: JSON.stringify(summary), expiresInMs });
      if (!record) throw refuseTaken(name);
      return { ...lifetimeOf(record), name, tokenDigest, settings, open: () => worlds.open(record) };
    },
    async find(name: string): Promise<WorldBlueprint | undefined> {
      const record = isWorldName(name) ? await worlds.find(name) : undefined;
      const { setup } = record ?? {};
      if (!record || setup === undefined) return undefined;
      const source = `the world ${name}`;
      const { tokenDigest, clock, ...others } = readSetup(setup, { place: where, source });
      const settings = { ...others, clock };
      return { ...lifetimeOf(record), name, tokenDigest, settings, open: () => worlds.open(record) };
    },
    async list(page: WorldsPage): Promise<WorldLine[]> {
      const lines = await worlds.list(page);
      return lines.map(({ summary, head, ...line }) => ({
        ...line,
        clock: head === '' ? undefined : readStored(where, () => readHead(head).clock),
        ...readStored(where, () => JSON.parse(summary) as Pick<WorldLine, 'profile' | 'seed' | 'hasToken'>),
      }));
    },
    count,
    remove: async (name: string) => isWorldName(name) && worlds.remove(name),
    due,
  };
}

function lifetimeOf({ createdAt, expiresAt, leftMs }: WorldRecord): Lifetime {
  return { createdAt, expiresAt, endsAt: leftMs === undefined ? undefined : Date.now() + leftMs };
}
