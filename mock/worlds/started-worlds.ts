import type { Schemas } from '../../openapi/generated/control-types.ts';
import type { Control } from '../control/control.ts';
import type { Addresses } from '../control/controlled-mock.ts';
import { show } from '../control/long-id-control.ts';
import { show as showEntry } from '../control/show.ts';
import type { Note } from '../control/stream/watch.ts';
import type { TenantAccess } from '../world/create-world.ts';
import type { NamedWorld, NamedWorlds, ServedMock, WorldChange } from './named-worlds.ts';
import { addressesIn } from './world-manager.ts';
import type { WorldOptions, WorldSettings } from './world-settings.ts';

interface WorldPlace {
  /** 1 to 63 ASCII letters, digits, hyphens, dots and underscores; the first is a letter or a digit. */
  name: string;
  /** Lifetime in real time, as an ISO 8601 duration such as PT2H. Default: as long as the mock. */
  expiresIn?: string;
  /** Protects its control API by a separate token. Default: false. */
  controlToken?: boolean;
}

interface StartedWorld<Controlled> extends Addresses {
  name: string;
  /** Undefined if the world has no separate token. */
  controlToken: string | undefined;
  tenants: TenantAccess<number | bigint>[];
  /** The control API of the world, without HTTP. */
  control: Controlled;
  /** Ends the world at once, unless it has ended already. */
  end(): Promise<void>;
}

type ToldChange = Exclude<WorldChange, 'loaded' | 'unloaded'>;

/** A named world has begun, ended or expired. */
export interface WorldNote {
  type: 'world';
  /** By the clock of the world, in ISO 8601. */
  at: string;
  world: string;
  change: ToldChange;
  /** When a world that has begun will expire in real time, in ISO 8601. Absent if it will not. */
  expires_at?: string;
}

/** `world` names the world of a note, and is absent for main. */
export type NamedNote = (Note & { world?: string }) | WorldNote;

export interface StartedWorlds<Controlled = Control> {
  /** Creates a world with its own prefix, clock, journal, pushes and limits; options default to the mock's. Throws ControlError, MockError, ProfileError or WorldFileError. */
  create(options: WorldPlace & WorldOptions): Promise<StartedWorld<Controlled>>;
  /** The worlds in the memory of this process, main first. */
  list(): Schemas['NamedWorld'][];
  /** Ends a world at once. Throws a ControlError if there is no such world. */
  end(name: string): Promise<void>;
  /** Like `watch` of the control, but for all worlds. Returns a function that stops it. */
  watch(listener: (notes: readonly NamedNote[]) => void): () => void;
}

interface Parts<Controlled> {
  worlds: NamedWorlds;
  control: Control;
  controlOf(mock: ServedMock): Controlled;
  addresses(): Addresses;
  readSettings(options: WorldOptions): Promise<WorldSettings>;
}

export function startedWorlds<Controlled>(parts: Parts<Controlled>): StartedWorlds<Controlled> {
  const { worlds, control, controlOf, addresses, readSettings } = parts;
  return {
    async create({ name, expiresIn, controlToken: hasOwnToken, ...options }) {
      const { world, controlToken } = await worlds.create({
        name,
        expiresIn,
        hasOwnToken,
        settings: await readSettings(options),
      });
      return {
        name,
        ...addressesIn(name, addresses()),
        controlToken,
        tenants: show([...world.mock.tenants]),
        control: controlOf(world.mock),
        end: () => endOnce(worlds, world),
      };
    },
    list: () => control.worlds().worlds,
    end: worlds.end,
    watch: (listener) => watchAll(worlds, control, (notes) => listener(show(notes))),
  };
}

/** The world may have ended already, and another one may have its name. */
async function endOnce({ find, end }: NamedWorlds, world: NamedWorld): Promise<void> {
  if (find(world.name) === world) await end(world.name);
}

function watchAll(
  worlds: NamedWorlds,
  main: Control,
  listener: (notes: readonly NamedNote[]) => void,
): () => void {
  const ends = new Map<NamedWorld, () => void>();
  const follow = (world: NamedWorld) => {
    const name = (note: Note) => ({ ...note, world: world.name });
    const end = world.mock.control.watch((notes) => listener(notes.map(name)));
    ends.set(world, end);
  };
  const tell = (world: NamedWorld, change: WorldChange) => {
    if (change === 'begun' || change === 'loaded') follow(world);
    else {
      ends.get(world)?.();
      ends.delete(world);
    }
    if (change !== 'loaded' && change !== 'unloaded') listener([noteChange(world, change)]);
  };
  worlds.events.on('change', tell);
  for (const world of worlds.list()) follow(world);
  const endMain = main.watch(listener);
  return () => {
    worlds.events.off('change', tell);
    for (const end of [endMain, ...ends.values()]) end();
  };
}

function noteChange({ name, expiresAt, mock }: NamedWorld, change: ToldChange): WorldNote {
  const note = { type: 'world' as const, at: mock.clock.now(), world: name, change };
  return showEntry({ ...note, expiresAt: change === 'begun' ? expiresAt : undefined });
}
