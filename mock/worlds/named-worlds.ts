// The worlds by name, each a mock without a port of its own: making them, finding them, ending them.
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Control } from '../control/control.ts';
import { ControlError } from '../control/control-error.ts';
import type { ControlledMock } from '../control/controlled-mock.ts';
import type { OpenedWorld } from '../store/open-store.ts';
import { Collection } from '../world/collection.ts';
import { digest } from '../world/digests.ts';
import { isoTime } from '../world/time.ts';
import { mainWorld } from '../world/world.ts';
import { createSharedBytes } from './shared-bytes.ts';
import type { Shelf } from './shelf.ts';
import { explainMissing, isWorldName, nameRule, quote, refuseFull, refuseTaken } from './world-names.ts';
import type { KeptPlace, Lifetime, WorldSettings } from './world-settings.ts';

/** A mock with what answers for it. */
export interface ServedMock extends ControlledMock {
  /** Of a world by name, it listens nowhere, and is handed its requests. */
  app: FastifyInstance;
  /** The same app, unless the control API is apart. */
  controlApp: FastifyInstance;
  control: Control;
  seed: number;
}

export interface NamedWorld extends Lifetime {
  mock: ServedMock;
  name: string;
  /** Only grows. */
  number: number;
  /** Of its own control token. */
  tokenDigest: string | undefined;
  /** Requests that are under way in it. */
  responses: Set<ServerResponse>;
  /** Until it expires. */
  timer: NodeJS.Timeout | undefined;
}

interface WorldPlan {
  name: string;
  expiresInMs?: number | undefined;
  hasOwnToken?: boolean | undefined;
  settings: WorldSettings;
}

interface WorldPlace {
  name: string;
  tokenDigest: string | undefined;
  end(): void;
  /** Another process has ended it. */
  onGone(): void;
}

interface Parts {
  /** Makes the mock of a world, which goes on with what a store has of it. */
  build(settings: WorldSettings, place: WorldPlace, store: OpenedWorld | undefined): Promise<ServedMock>;
  /** Persists the worlds, where a store does. */
  shelf: Shelf | undefined;
}

/** Loaded and unloaded: a store keeps it, and it came into the memory of this process or went from there. */
export type WorldChange = 'begun' | 'ended' | 'expired' | 'loaded' | 'unloaded';

export const mostWorlds = 100;
/** Of worlds that a store keeps, those that were not used for longest go from memory. */
const mostLoaded = 200;
const dueEveryMs = 1000;
const longestTimerMs = 2 ** 31 - 1;

export type NamedWorlds = ReturnType<typeof createNamedWorlds>;

export function createNamedWorlds({ build, shelf }: Parts) {
  /** Where a store keeps them, in the order of their use. */
  const worlds = new Map<string, NamedWorld>();
  const loading = new Map<string, Promise<void>>();
  let dueTimer: NodeJS.Timeout | undefined;
  const starting = new Set<string>();
  /** What became of the latest worlds that are no more, so that late calls learn it. */
  const gone = new Collection<string, { reason: string }>({ most: 100 });
  const listeners = new Set<(world: NamedWorld, change: WorldChange) => void>();
  const shared = createSharedBytes();
  let isClosed = false;
  let lastNumber = 0;

  function tell(world: NamedWorld, change: WorldChange): void {
    for (const listener of listeners) listener(world, change);
  }

  /** Returns the world and its own control token, which is not shown again. */
  async function create({ name, expiresInMs, hasOwnToken, settings }: WorldPlan) {
    if (!isWorldName(name)) throw new ControlError(400, `${quote(name)} can't name a world; ${nameRule}`);
    if (name === mainWorld || worlds.has(name) || starting.has(name)) throw refuseTaken(name);
    if (!shelf && worlds.size + starting.size >= mostWorlds) throw refuseFull(`there are ${mostWorlds}`);
    starting.add(name);
    const controlToken = hasOwnToken ? randomBytes(24).toString('hex') : undefined;
    const tokenDigest = controlToken === undefined ? undefined : digest(controlToken);
    try {
      const place = { name, tokenDigest, settings };
      const kept = (await shelf?.add(place, expiresInMs)) ?? { ...place, ...lifetimeOf(expiresInMs) };
      const mock = await buildAt(kept).catch(async (error: unknown) => {
        await shelf?.remove(name);
        throw error;
      });
      if (!isClosed) return { world: add(mock, kept, 'begun'), controlToken };
      await closeMock(mock);
      throw new ControlError(409, 'POST /_mock/worlds: the mock is ending');
    } finally {
      starting.delete(name);
    }
  }

  async function buildAt({ name, tokenDigest, settings, open }: KeptPlace): Promise<ServedMock> {
    const endIt = () => void end(name).catch(() => {});
    const onGone = () => void remove(name, 'ended');
    return build(settings, { name, tokenDigest, end: endIt, onGone }, await open?.());
  }

  function add(
    mock: ServedMock,
    { name, tokenDigest, createdAt, expiresAt, endsAt }: KeptPlace,
    change: 'begun' | 'loaded',
  ): NamedWorld {
    const responses = new Set<ServerResponse>();
    const lifetime = { createdAt, expiresAt, endsAt, timer: undefined };
    const world: NamedWorld = { mock, name, tokenDigest, number: ++lastNumber, responses, ...lifetime };
    worlds.set(world.name, world);
    shared.add(world.mock);
    if (world.endsAt !== undefined) expireAt(world, world.endsAt);
    tell(world, change);
    return world;
  }

  /** By real time; the timer keeps no process alive. */
  function expireAt(world: NamedWorld, at: number): void {
    const waitMs = Math.min(Math.max(0, at - Date.now()), longestTimerMs);
    const reach = () => (at > Date.now() ? expireAt(world, at) : void remove(world.name, 'expired'));
    world.timer = setTimeout(reach, waitMs).unref();
  }

  /** Of those in memory. */
  function find(name: string): NamedWorld | undefined {
    const world = worlds.get(name);
    if (shelf && world) {
      worlds.delete(name);
      worlds.set(name, world);
    }
    // Timers are late where the machine has slept.
    if ((world?.endsAt ?? Number.POSITIVE_INFINITY) > Date.now()) return world;
    void remove(name, 'expired');
    return undefined;
  }

  /** Has a world in memory that the store keeps, if it does; undefined: there is nothing to wait for. Throws a StoreError if that can't be learned. */
  function load(name: string): Promise<void> | undefined {
    if (!shelf || isClosed || worlds.has(name) || starting.has(name)) return undefined;
    const under = loading.get(name) ?? loadFrom(shelf, name).finally(() => loading.delete(name));
    loading.set(name, under);
    return under;
  }

  async function loadFrom(from: Shelf, name: string): Promise<void> {
    const kept = await from.find(name);
    if (!kept) return;
    const mock = await buildAt(kept);
    if (isClosed) return closeMock(mock);
    add(mock, kept, 'loaded');
    const idle = [...worlds.values()].filter(({ responses }) => responses.size === 0);
    for (const { name: unused } of idle.slice(0, Math.max(0, worlds.size - mostLoaded)))
      await remove(unused, 'unloaded');
  }

  /** Loads those for which something is due, again and again until the end. */
  async function loadDue(): Promise<void> {
    // The store says in the log what is wrong with it.
    const names = (await shelf?.due().catch(() => [])) ?? [];
    for (const name of names) await load(name)?.catch(() => {});
    if (shelf && !isClosed) dueTimer = setTimeout(() => void loadDue(), dueEveryMs).unref();
  }

  /** Why there is none of that name. */
  const explain = (name: string) => explainMissing(name, gone.get(name)?.reason);

  /** Throws a ControlError if there is none. */
  async function end(name: string): Promise<void> {
    if (name === mainWorld)
      throw new ControlError(
        409,
        'main is the root of the mock, and lasts as long as that; POST /_mock/reset puts it back to the beginning',
      );
    const wasKept = await shelf?.remove(name);
    if (!wasKept && !worlds.has(name)) throw new ControlError(404, explain(name));
    await remove(name, 'ended');
  }

  /** Nobody finds it any more, and what is under way in it is cut off. */
  async function remove(name: string, change: 'ended' | 'expired' | 'unloaded'): Promise<void> {
    const world = worlds.get(name);
    if (!world) return;
    worlds.delete(name);
    clearTimeout(world.timer);
    shared.remove(world.mock);
    if (change !== 'unloaded') {
      gone.delete(name);
      gone.set(name, { reason: `${change} at ${isoTime(Date.now())}` });
    }
    tell(world, change);
    await closeMock(world.mock);
    // Streams have been ended by that.
    for (const response of world.responses) if (!response.writableEnded) response.destroy();
  }

  return {
    create,
    find,
    load,
    loadDue,
    explainMissing: explain,
    /** Those in memory. */
    list: () => [...worlds.values()],
    end,
    async endAll(): Promise<void> {
      isClosed = true;
      clearTimeout(dueTimer);
      await Promise.all([...worlds.keys()].map((name) => remove(name, shelf ? 'unloaded' : 'ended')));
    },
    /** How many bytes they keep together, about. */
    bytes: shared.bytes,
    /** Returns what ends it. */
    onChange(listener: (world: NamedWorld, change: WorldChange) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Of a world that no store keeps. */
function lifetimeOf(expiresInMs: number | undefined): Lifetime {
  const createdAt = Date.now();
  const expiresAt = expiresInMs === undefined ? undefined : createdAt + expiresInMs;
  return { createdAt, expiresAt, endsAt: expiresAt };
}

/** Ends its pushes, timers and streams. Where a store keeps it, another process or the next start goes on. */
async function closeMock({ app, controlApp, events, scheduler, store }: ServedMock): Promise<void> {
  events.emit('closing');
  if (store) await scheduler.giveBack();
  await store?.close();
  for (const one of new Set([app, controlApp])) await one.close();
}
