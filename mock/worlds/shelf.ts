// Worlds by name where a store keeps them: what one process makes, others find, and so does the next start.
import { makeProfile, type Profile, statedValues } from '../../openapi/profile.ts';
import { ControlError } from '../control/control-error.ts';
import type { KeptWorldRecord, KeptWorlds, OpenedWorld } from '../store/open-store.ts';
import type { ClockState } from '../world/world.ts';
import { quote } from './choose-world.ts';

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
  controlToken?: string;
}

export interface KeptPlace {
  name: string;
  controlToken: string | undefined;
  /** Milliseconds since 1970. */
  createdAt: number;
  expiresAt: number | undefined;
  settings: KeptSettings;
  clock: ClockState | undefined;
}

export interface Shelf {
  /** Throws a ControlError if there is one of that name already, and a StoreError if it can't be kept. */
  add(place: Omit<KeptPlace, 'clock'>): Promise<OpenedWorld>;
  /** Throws a StoreError. */
  find(name: string): Promise<KeptPlace | undefined>;
  /** What of it the store has. */
  open(place: KeptPlace): Promise<OpenedWorld>;
  list(): Promise<KeptPlace[]>;
  remove(name: string): Promise<boolean>;
  /** The names of those that wait for nothing but somebody to have them in memory. */
  due(): Promise<string[]>;
}

/** Of all processes that use the store. */
export const mostKept = 10_000;

export function createShelf(worlds: KeptWorlds): Shelf {
  const records = new WeakMap<KeptPlace, KeptWorldRecord>();

  function placeOf(record: KeptWorldRecord): KeptPlace[] {
    if (record.setup === undefined) return [];
    const { profile, controlToken, ...rest } = JSON.parse(record.setup) as Plan;
    const read = makeProfile(profile.values, { name: profile.name, source: `the world ${record.name}` });
    const { name, createdAt, expiresAt, clock } = record;
    const place = { name, createdAt, expiresAt, clock, controlToken, settings: { ...rest, profile: read } };
    records.set(place, record);
    return [place];
  }

  return {
    async add({ name, controlToken, createdAt, expiresAt, settings: { profile, ...rest } }) {
      // Main is one of them.
      if ((await worlds.count()) > mostKept)
        throw new ControlError(
          409,
          `the store keeps ${mostKept} worlds already; end one with DELETE /_mock/worlds/NAME, and let others expire ("expires_in")`,
        );
      const plan: Plan = {
        ...rest,
        profile: { name: profile.name, values: { ...statedValues(profile) } },
        ...(controlToken !== undefined && { controlToken }),
      };
      const record = await worlds.add({ name, createdAt, expiresAt, setup: JSON.stringify(plan) });
      if (record) return worlds.open(record);
      throw new ControlError(
        409,
        `there is a world ${quote(name)} already; choose another name, or end it with DELETE /_mock/worlds/${name}`,
      );
    },
    async find(name) {
      const record = await worlds.find(name);
      return record && placeOf(record)[0];
    },
    async open(place) {
      const record = records.get(place);
      if (!record) throw new Error(`the world ${place.name} was not found in the store`);
      return worlds.open(record);
    },
    list: async () => (await worlds.list()).flatMap(placeOf),
    remove: worlds.remove,
    due: worlds.due,
  };
}
