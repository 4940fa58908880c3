// Worlds by name where a store keeps them: what one process makes, others find, and so does the next start.
import { makeProfile, type Profile, statedValues } from '../../openapi/profile.ts';
import { readKept, type WorldRecord, type WorldsPage } from '../store/engine.ts';
import type { OpenedWorld, StoredWorlds } from '../store/open-store.ts';
import { readHead } from '../store/rows.ts';
import { keepLongJson, showLongIds } from '../world/long-ids.ts';
import type { ClockState } from '../world/world.ts';
import { isWorldName } from './choose-world.ts';
import { refuseFull, refuseTaken } from './missing-worlds.ts';

/** What a kept world is made with; all of it is given. */
interface KeptSettings {
  profile: Profile;
  seed: number;
  clock: ClockState['mode'];
  /** A world file or a saved world. */
  data: object;
  variations: readonly string[];
}

/** How it is written. */
interface Plan extends Omit<KeptSettings, 'profile'> {
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
  settings: KeptSettings;
  /** What the store has of it. */
  record: WorldRecord;
}

/** What lists show of what it is made with. */
interface Summary {
  profile: string;
  seed: number;
  hasToken: boolean;
}

export interface KeptLine extends Summary, Omit<Lifetime, 'endsAt'> {
  id: number;
  name: string;
  clock: ClockState | undefined;
}

export interface Shelf {
  /** Throws a ControlError if there is one of that name already, and a StoreError if it can't be kept. */
  add(place: NewPlace): Promise<KeptPlace>;
  /** Throws a StoreError. */
  find(name: string): Promise<KeptPlace | undefined>;
  open(place: KeptPlace): Promise<OpenedWorld>;
  list(page: WorldsPage): Promise<KeptLine[]>;
  /** Main included. */
  count(): Promise<number>;
  remove(name: string): Promise<boolean>;
  /** The names of those that wait for nothing but somebody to have them in memory. */
  due(): Promise<string[]>;
}

interface NewPlace extends Pick<KeptPlace, 'name' | 'tokenDigest' | 'settings'> {
  expiresInMs: number | undefined;
}

/** Of all processes that use the store. */
export const mostKept = 10_000;

export function createShelf(worlds: StoredWorlds): Shelf {
  const { place: where } = worlds;

  /** By the clock of the store; undefined of a world that has not begun. */
  function clockOf(head: string): ClockState | undefined {
    return head === '' ? undefined : readKept(where, () => readHead(head).clock);
  }

  function placeOf(record: WorldRecord | undefined): KeptPlace | undefined {
    if (record?.setup === undefined) return undefined;
    const { setup } = record;
    const { profile, tokenDigest, ...rest } = readKept(where, () => JSON.parse(keepLongJson(setup)) as Plan);
    const read = makeProfile(profile.values, { name: profile.name, source: `the world ${record.name}` });
    const { name, createdAt, expiresAt, leftMs } = record;
    const endsAt = leftMs === undefined ? undefined : Date.now() + leftMs;
    const settings = { ...rest, profile: read };
    return { name, createdAt, expiresAt, endsAt, tokenDigest, settings, record };
  }

  return {
    async add({ name, tokenDigest, expiresInMs, settings: { profile, ...rest } }) {
      // Main is one of them.
      if ((await worlds.count()) > mostKept) throw refuseFull(`the store keeps ${mostKept}`);
      const plan: Plan = {
        ...rest,
        profile: { name: profile.name, values: { ...statedValues(profile) } },
        ...(tokenDigest !== undefined && { tokenDigest }),
      };
      const [setup, summary] = [showLongIds(JSON.stringify(plan)), JSON.stringify(summaryOf(plan))];
      const record = await worlds.add({ name, setup, summary, expiresInMs });
      const added = placeOf(record);
      if (added) return added;
      throw refuseTaken(name);
    },
    async find(name) {
      return isWorldName(name) ? placeOf(await worlds.find(name)) : undefined;
    },
    open: ({ record }) => worlds.open(record),
    list: async (page) =>
      (await worlds.list(page)).map(({ summary, head, ...line }) => ({
        ...line,
        clock: clockOf(head),
        ...readKept(where, () => JSON.parse(summary) as Summary),
      })),
    count: worlds.count,
    remove: async (name) => isWorldName(name) && worlds.remove(name),
    due: worlds.due,
  };
}

function summaryOf({ profile, seed, tokenDigest }: Plan): Summary {
  return { profile: profile.name, seed, hasToken: tokenDigest !== undefined };
}
