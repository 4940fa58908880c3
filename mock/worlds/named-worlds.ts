// The worlds by name, each a mock without a port of its own: making them, finding them, ending them.
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { ControlError } from '../control/control-error.ts';
import { digest } from '../world/digests.ts';
import { mainWorld } from '../world/main-world.ts';
import { isWorldName, quote } from './choose-world.ts';
import { createDeadlines } from './deadlines.ts';
import { createGone, explainMissing, nameRule, refuseFull, refuseTaken } from './missing-worlds.ts';
import type { ServedMock } from './served-mock.ts';
import { createSharedBytes } from './shared-bytes.ts';
import type { KeptPlace, Lifetime, Shelf } from './shelf.ts';

export interface NamedWorld extends Lifetime {
  mock: ServedMock;
  name: string;
  /** Only grows. */
  number: number;
  /** Of its own control token. */
  tokenDigest: string | undefined;
  /** Requests that are under way in it. */
  responses: Set<ServerResponse>;
}

interface WorldPlan<Settings> {
  name: string;
  expiresInMs?: number | undefined;
  hasOwnToken?: boolean | undefined;
  settings: Settings;
}

/** Loaded and unloaded: a store keeps it, and it came into the memory of this process or went from there. */
export type WorldChange = 'begun' | 'ended' | 'expired' | 'loaded' | 'unloaded';

export interface NamedWorlds<Settings> {
  /** Returns the control token of its own, too, which is nowhere later. */
  create(plan: WorldPlan<Settings>): Promise<{ world: NamedWorld; controlToken: string | undefined }>;
  /** Of those in memory. */
  find(name: string): NamedWorld | undefined;
  /** Has a world in memory that the store keeps, if it does; undefined: there is nothing to wait for. Throws a StoreError if that can't be learned. */
  load(name: string): Promise<void> | undefined;
  /** Loads those for which something is due, again and again until the end. */
  loadDue(): void;
  /** Why there is none of that name. */
  explainMissing(name: string): string;
  /** Those in memory. */
  list(): NamedWorld[];
  /** Throws a ControlError if there is none. */
  end(name: string): Promise<void>;
  endAll(): Promise<void>;
  /** How many bytes they keep together, about. */
  bytes(): number;
  /** Returns what ends it. */
  onChange(listener: (world: NamedWorld, change: WorldChange) => void): () => void;
}

export const mostWorlds = 100;
/** Of worlds that a store keeps, those that were not used for longest go from memory. */
const mostLoaded = 200;
const dueEveryMs = 1000;

export interface WorldPlace {
  name: string;
  tokenDigest: string | undefined;
  end(): void;
  /** Another process has ended it. */
  onGone(): void;
}

interface NewWorldPlace extends WorldPlace {
  expiresInMs: number | undefined;
}

export interface Builder<Settings> {
  begin(settings: Settings, place: NewWorldPlace): Promise<Lifetime & { mock: ServedMock }>;
  /** Goes on with one that the shelf has. */
  goOn(kept: KeptPlace, place: WorldPlace): Promise<ServedMock>;
  /** Persists the worlds, where a store does. */
  shelf: Shelf | undefined;
}

export function createNamedWorlds<Settings>({
  begin,
  goOn,
  shelf,
}: Builder<Settings>): NamedWorlds<Settings> {
  /** Where a store keeps them, in the order of their use. */
  const worlds = new Map<string, NamedWorld>();
  const loading = new Map<string, Promise<void>>();
  let dueTimer: NodeJS.Timeout | undefined;
  const starting = new Set<string>();
  const gone = createGone();
  const listeners = new Set<(world: NamedWorld, change: WorldChange) => void>();
  const shared = createSharedBytes();
  const deadlines = createDeadlines((name) => void remove(name, 'expired'));
  let isClosed = false;
  let lastNumber = 0;

  function tell(world: NamedWorld, change: WorldChange): void {
    for (const listener of listeners) listener(world, change);
  }

  async function create({ name, expiresInMs, hasOwnToken, settings }: WorldPlan<Settings>) {
    checkNew(name);
    starting.add(name);
    const controlToken = hasOwnToken ? randomBytes(24).toString('hex') : undefined;
    const tokenDigest = controlToken === undefined ? undefined : digest(controlToken);
    try {
      const built = await begin(settings, { ...placeOf({ name, tokenDigest }), expiresInMs });
      if (isClosed) await closeMock(built.mock);
      if (isClosed) throw new ControlError(409, 'POST /_mock/worlds: the mock is ending');
      return { world: add({ ...built, name, tokenDigest }, 'begun'), controlToken };
    } finally {
      starting.delete(name);
    }
  }

  function placeOf({ name, tokenDigest }: Pick<WorldPlace, 'name' | 'tokenDigest'>): WorldPlace {
    const [endIt, onGone] = [() => void end(name).catch(() => {}), () => void remove(name, 'ended')];
    return { name, tokenDigest, end: endIt, onGone };
  }

  function add(parts: Omit<NamedWorld, 'responses' | 'number'>, change: WorldChange): NamedWorld {
    const world = { ...parts, number: ++lastNumber, responses: new Set<ServerResponse>() };
    const { name, endsAt } = world;
    worlds.set(name, world);
    shared.add(world.mock);
    if (endsAt !== undefined) deadlines.set(name, endsAt);
    tell(world, change);
    return world;
  }

  function load(name: string): Promise<void> | undefined {
    if (!shelf || isClosed || worlds.has(name) || starting.has(name)) return undefined;
    const under = loading.get(name) ?? loadFrom(shelf, name).finally(() => loading.delete(name));
    loading.set(name, under);
    return under;
  }

  async function loadFrom(from: Shelf, name: string): Promise<void> {
    const kept = await from.find(name);
    if (!kept) return;
    const mock = await goOn(kept, placeOf(kept));
    if (isClosed) return closeMock(mock);
    const { createdAt, expiresAt, endsAt, tokenDigest } = kept;
    add({ mock, name, tokenDigest, createdAt, expiresAt, endsAt }, 'loaded');
    await unloadSome();
  }

  async function unloadSome(): Promise<void> {
    const idle = [...worlds.values()].filter(({ responses }) => responses.size === 0);
    for (const { name } of idle.slice(0, Math.max(0, worlds.size - mostLoaded)))
      await remove(name, 'unloaded');
  }

  async function loadAllDue(from: Shelf): Promise<void> {
    // The store says in the log what is wrong with it.
    const names = await from.due().catch(() => []);
    for (const name of names) await load(name)?.catch(() => {});
    if (!isClosed) dueTimer = setTimeout(() => void loadAllDue(from), dueEveryMs).unref();
  }

  async function end(name: string): Promise<void> {
    const wasKept = await shelf?.remove(name);
    if (!wasKept && !worlds.has(name)) throw new ControlError(404, explainMissing(name, gone.reasonOf(name)));
    await remove(name, 'ended');
  }

  function checkNew(name: string): void {
    if (!isWorldName(name)) throw new ControlError(400, `${quote(name)} can't name a world; ${nameRule}`);
    if (name === mainWorld || worlds.has(name) || starting.has(name)) throw refuseTaken(name);
    if (!shelf && worlds.size + starting.size >= mostWorlds) throw refuseFull(`there are ${mostWorlds}`);
  }

  /** Nobody finds it any more, and what is under way in it is cut off. */
  async function remove(name: string, change: 'ended' | 'expired' | 'unloaded'): Promise<void> {
    const world = worlds.get(name);
    if (!world) return;
    worlds.delete(name);
    deadlines.delete(name);
    shared.remove(world.mock);
    if (change !== 'unloaded') gone.add(name, change);
    tell(world, change);
    await closeMock(world.mock);
    // Streams have been ended by that.
    for (const response of world.responses) if (!response.writableEnded) response.destroy();
  }

  return {
    create,
    find(name) {
      const world = worlds.get(name);
      if (shelf && world) {
        worlds.delete(name);
        worlds.set(name, world);
      }
      // Timers are late where the machine has slept.
      if ((world?.endsAt ?? Number.POSITIVE_INFINITY) > Date.now()) return world;
      void remove(name, 'expired');
      return undefined;
    },
    load,
    loadDue() {
      if (shelf) void loadAllDue(shelf);
    },
    explainMissing: (name) => explainMissing(name, gone.reasonOf(name)),
    list: () => [...worlds.values()],
    async end(name) {
      if (name === mainWorld)
        throw new ControlError(
          409,
          'main is the root of the mock, and lasts as long as that; POST /_mock/reset puts it back to the beginning',
        );
      await end(name);
    },
    async endAll() {
      isClosed = true;
      clearTimeout(dueTimer);
      deadlines.close();
      await Promise.all([...worlds.keys()].map((name) => remove(name, shelf ? 'unloaded' : 'ended')));
    },
    bytes: shared.bytes,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Ends its pushes, timers and streams. Where a store keeps it, another process or the next start goes on. */
async function closeMock({ app, controlApp, events, scheduler, store }: ServedMock): Promise<void> {
  events.emit('closing');
  if (store) await scheduler.giveBack();
  await store?.close();
  for (const one of new Set([app, controlApp])) await one.close();
}
