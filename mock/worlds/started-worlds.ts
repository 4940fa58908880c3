// The worlds by name of a mock in the same process.
import type { Schemas } from '../../openapi/generated/control-types.ts';
import type { Control } from '../control/control.ts';
import type { Addresses } from '../control/controlled-mock.ts';
import { show } from '../control/long-id-control.ts';
import { show as showEntry } from '../control/show/show.ts';
import type { Note } from '../control/stream/watch.ts';
import type { TenantAccess } from '../world/create-world.ts';
import type { NamedWorld, NamedWorlds, ServedMock, WorldChange } from './named-worlds.ts';
import { addressesIn } from './world-keeper.ts';
import type { WorldSettings } from './world-settings.ts';

/** How a world begins, and how long it lasts. */
interface WorldPlace {
  /** 1 to 63 letters of ASCII, digits, hyphens, dots and underscores; the first is a letter or a digit. */
  name: string;
  /** How long it lasts by real time, as an ISO 8601 duration such as PT2H. Default: as long as the mock. */
  expiresIn?: string;
  /** Whether its control API gets a token of its own. */
  controlToken?: boolean;
}

interface StartedWorld<Controlled> extends Addresses {
  name: string;
  /** The token of its own, if any. */
  controlToken: string | undefined;
  /** Who can log in. */
  tenants: TenantAccess<number | bigint>[];
  /** Its control API without HTTP. */
  control: Controlled;
  /** Ends it at once. */
  end(): Promise<void>;
}

type ToldChange = Exclude<WorldChange, 'loaded' | 'unloaded'>;

/** A world by name has begun or ended. */
export interface WorldNote {
  type: 'world';
  /** By its own clock. */
  at: string;
  world: string;
  change: ToldChange;
  /** When it will expire, if it will, by real time. */
  expires_at?: string;
}

/** What happens in any world; `world` names it, unless it is main. */
export type NamedNote = (Note & { world?: string }) | WorldNote;

export interface StartedWorlds<Options, Controlled = Control> {
  /** Makes a world with a prefix, a clock, a journal, pushes and limits of its own. What is left out is as the mock was started. Throws a ControlError for what can't be done. */
  create(options: WorldPlace & Options): Promise<StartedWorld<Controlled>>;
  /** Those that this process has in memory, main first. */
  list(): Schemas['NamedWorld'][];
  /** Ends one at once. Throws a ControlError if there is none. */
  end(name: string): Promise<void>;
  /** Hands over what has happened in all worlds, as the control's own `watch` does for one. Returns what ends it. */
  watch(listener: (notes: readonly NamedNote[]) => void): () => void;
}

interface Parts<Options, Controlled> {
  worlds: NamedWorlds;
  control: Control;
  /** What who has made a world controls it by. */
  controlOf(mock: ServedMock): Controlled;
  addresses(): Addresses;
  readSettings(options: Options): Promise<WorldSettings>;
}

export function startedWorlds<Options extends object, Controlled>({
  worlds,
  control,
  controlOf,
  addresses,
  readSettings,
}: Parts<Options, Controlled>): StartedWorlds<Options, Controlled> {
  return {
    async create({ name, expiresIn, controlToken: hasOwnToken, ...options }) {
      const { world, controlToken } = await worlds.create({
        name,
        expiresIn,
        hasOwnToken,
        settings: await readSettings(options as unknown as Options),
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

/** It may have ended by itself, and there may be another one of its name. */
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
  const endChanges = worlds.onChange((world, change) => {
    if (change === 'begun' || change === 'loaded') follow(world);
    else {
      ends.get(world)?.();
      ends.delete(world);
    }
    if (change !== 'loaded' && change !== 'unloaded') listener([noteChange(world, change)]);
  });
  for (const world of worlds.list()) follow(world);
  const endMain = main.watch(listener);
  return () => {
    for (const end of [endMain, endChanges, ...ends.values()]) end();
  };
}

function noteChange({ name, expiresAt, mock }: NamedWorld, change: ToldChange): WorldNote {
  const note = { type: 'world' as const, at: mock.clock.now(), world: name, change };
  return showEntry({ ...note, expiresAt: change === 'begun' ? expiresAt : undefined });
}
