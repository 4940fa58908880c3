// Worlds by name where a store keeps them: what one process makes, others find, and so does the next start.
import { makeProfile, statedValues } from '../../openapi/profile.ts';
import { readKept, type WorldRecord, type WorldsPage } from '../store/engine.ts';
import type { StoredWorlds } from '../store/open-store.ts';
import { readHead } from '../store/rows.ts';
import { demoSeed } from '../world/demo-world.ts';
import { keepLongJson, showLongIds } from '../world/long-ids.ts';
import type { ClockState } from '../world/world.ts';
import { isWorldName, refuseFull, refuseTaken } from './world-names.ts';
import type { Beginning, KeptPlace, Lifetime, WorldSettings } from './world-settings.ts';

/** How a store has what a world is made with. */
interface WrittenSetup extends Required<Pick<WorldSettings, 'seed' | 'clock' | 'variations'>> {
  profile: { name: string; values: Readonly<Record<string, unknown>> };
  /** A world file or a saved world. */
  data: Beginning['data'];
  tokenDigest?: string;
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

/** Each method throws a StoreError if that can't be. */
export function createShelf(
  worlds: StoredWorlds,
  readBeginning: (choice: WorldSettings & { world: Beginning['data'] }) => Promise<Beginning>,
) {
  const { place: where, count, due } = worlds;

  return {
    /** Throws a ControlError if there is one of that name already. */
    async add(
      { name, tokenDigest, settings }: Omit<KeptPlace, keyof Lifetime>,
      expiresInMs: number | undefined,
    ): Promise<KeptPlace> {
      // Main is one of them.
      if ((await count()) > mostKept) throw refuseFull(`the store keeps ${mostKept}`);
      const { profile, seed, clock, variations = [], beginning } = settings;
      const written: WrittenSetup = {
        seed,
        clock,
        data: beginning?.data ?? demoSeed,
        variations,
        profile: { name: profile.name, values: statedValues(profile) },
        ...(tokenDigest !== undefined && { tokenDigest }),
      };
      const summary = { profile: profile.name, seed, hasToken: tokenDigest !== undefined };
      const setup = showLongIds(JSON.stringify(written));
      const record = await worlds.add({ name, setup, summary: JSON.stringify(summary), expiresInMs });
      if (!record) throw refuseTaken(name);
      return { ...lifetimeOf(record), name, tokenDigest, settings, open: () => worlds.open(record) };
    },
    async find(name: string): Promise<KeptPlace | undefined> {
      const record = isWorldName(name) ? await worlds.find(name) : undefined;
      const { setup } = record ?? {};
      if (!record || setup === undefined) return undefined;
      const lifetime = lifetimeOf(record);
      const { profile, tokenDigest, data, ...chosen } = readKept(
        where,
        () => JSON.parse(keepLongJson(setup)) as WrittenSetup,
      );
      const read = makeProfile(profile.values, { name: profile.name, source: `the world ${name}` });
      const beginning = await readBeginning({ ...chosen, profile: read, world: data });
      const settings = { ...chosen, profile: read, beginning };
      return { ...lifetime, name, tokenDigest, settings, open: () => worlds.open(record) };
    },
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

function lifetimeOf({ createdAt, expiresAt, leftMs }: WorldRecord): Lifetime {
  return { createdAt, expiresAt, endsAt: leftMs === undefined ? undefined : Date.now() + leftMs };
}
