// Worlds by name where a store keeps them: what one process makes, others find, and so does the next start.
import { makeProfile, type Profile, statedValues } from '../../openapi/profile.ts';
import { readKept, type WorldRecord, type WorldsPage } from '../store/engine.ts';
import type { StoredWorlds } from '../store/open-store.ts';
import { readHead } from '../store/rows.ts';
import { keepLongJson, showLongIds } from '../world/long-ids.ts';
import type { ClockState } from '../world/world.ts';
import { isWorldName, refuseFull, refuseTaken } from './world-names.ts';

/** What a stored world is made with; all of it is given. */
interface Setup {
  profile: Profile;
  seed: number;
  clock: ClockState['mode'];
  /** A world file or a saved world. */
  data: object;
  variations: readonly string[];
}

/** How it is written. */
interface WrittenSetup extends Omit<Setup, 'profile'> {
  profile: { name: string; values: Readonly<Record<string, unknown>> };
  tokenDigest?: string;
}

/** When a world was made and expires, in milliseconds since 1970, by the clock of the store where one keeps it. */
export interface Lifetime {
  createdAt: number;
  expiresAt: number | undefined;
  /** The same by the clock of this machine. */
  endsAt: number | undefined;
}

export interface KeptPlace extends Lifetime {
  name: string;
  tokenDigest: string | undefined;
  settings: Setup;
  /** What the store has of it. */
  record: WorldRecord;
}

/** What lists show of a world. */
export interface WorldLine extends Omit<Lifetime, 'endsAt'> {
  id: number;
  name: string;
  /** The name of its profile. */
  profile: string;
  seed: number;
  hasToken: boolean;
  /** Undefined: it has not begun. */
  clock: ClockState | undefined;
}

/** Of all processes that use the store. */
export const mostKept = 10_000;

export type Shelf = ReturnType<typeof createShelf>;

export function createShelf(worlds: StoredWorlds) {
  const { place: where, count, due } = worlds;

  function placeOf(record: WorldRecord | undefined): KeptPlace | undefined {
    if (record?.setup === undefined) return undefined;
    const { setup, name, createdAt, expiresAt, leftMs } = record;
    const { profile, tokenDigest, ...rest } = readKept(
      where,
      () => JSON.parse(keepLongJson(setup)) as WrittenSetup,
    );
    const read = makeProfile(profile.values, { name: profile.name, source: `the world ${name}` });
    const endsAt = leftMs === undefined ? undefined : Date.now() + leftMs;
    return { name, createdAt, expiresAt, endsAt, tokenDigest, settings: { ...rest, profile: read }, record };
  }

  return {
    /** Throws a ControlError if there is one of that name already, and a StoreError if it can't be kept. */
    async add({
      name,
      tokenDigest,
      expiresInMs,
      settings: { profile, ...rest },
    }: Pick<KeptPlace, 'name' | 'tokenDigest' | 'settings'> & {
      expiresInMs?: number | undefined;
    }): Promise<KeptPlace> {
      // Main is one of them.
      if ((await count()) > mostKept) throw refuseFull(`the store keeps ${mostKept}`);
      const written: WrittenSetup = {
        ...rest,
        profile: { name: profile.name, values: statedValues(profile) },
        ...(tokenDigest !== undefined && { tokenDigest }),
      };
      const summary = { profile: profile.name, seed: rest.seed, hasToken: tokenDigest !== undefined };
      const setup = showLongIds(JSON.stringify(written));
      const record = await worlds.add({ name, setup, summary: JSON.stringify(summary), expiresInMs });
      const added = placeOf(record);
      if (added) return added;
      throw refuseTaken(name);
    },
    /** Throws a StoreError. */
    async find(name: string): Promise<KeptPlace | undefined> {
      return isWorldName(name) ? placeOf(await worlds.find(name)) : undefined;
    },
    open: ({ record }: KeptPlace) => worlds.open(record),
    async list(page: WorldsPage): Promise<WorldLine[]> {
      const lines = await worlds.list(page);
      return lines.map(({ summary, head, ...line }) => ({
        ...line,
        clock: head === '' ? undefined : readKept(where, () => readHead(head).clock),
        ...readKept(where, () => JSON.parse(summary) as Pick<WorldLine, 'profile' | 'seed' | 'hasToken'>),
      }));
    },
    /** Main included. */
    count,
    remove: async (name: string) => isWorldName(name) && worlds.remove(name),
    due,
  };
}
