// A named world is a mock that shares the port of the main one.
import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Control } from '../control/control.ts';
import { ControlError, quote } from '../control/control-error.ts';
import type { ControlledMock } from '../control/controlled-mock.ts';
import { Collection } from '../world/collection.ts';
import { digest } from '../world/digests.ts';
import { isoTime, longestTimerMs, parseDuration, tenYearsMs } from '../world/time.ts';
import { mainWorld } from '../world/world.ts';
import { createSharedBytes } from './shared-bytes.ts';
import type { Shelf } from './shelf.ts';
import { isWorldName, nameRule, refuseEnding, refuseFull, refuseTaken } from './world-names.ts';
import type { Lifetime, WorldBlueprint, WorldSettings } from './world-settings.ts';

export interface ServedMock extends ControlledMock {
  /** The app of a named world doesn't listen; the gate hands it requests. */
  app: FastifyInstance;
  /** The same as `app`, unless the control API has its own port. */
  controlApp: FastifyInstance;
  control: Control;
  seed: number;
}

export interface NamedWorld extends Omit<WorldBlueprint, 'settings' | 'open'> {
  mock: ServedMock;
  number: number;
  responses: Set<ServerResponse>;
  timer: NodeJS.Timeout | undefined;
}

export interface WorldPlan {
  name: string;
  /** As an ISO 8601 duration. */
  expiresIn: string | undefined;
  hasOwnToken?: boolean | undefined;
  settings: WorldSettings;
}

interface Parts {
  build(place: WorldBlueprint): Promise<ServedMock>;
  shelf: Shelf | undefined;
}

/** A stored world is loaded into and unloaded from the memory of this process. */
export type WorldChange = 'begun' | 'ended' | 'expired' | 'loaded' | 'unloaded';

export const mostWorlds = 100;
/** Above this number, stored worlds that were unused for longest are unloaded. */
const mostLoaded = 200;
const dueEveryMs = 1000;

export type NamedWorlds = ReturnType<typeof createNamedWorlds>;

export function createNamedWorlds({ build, shelf }: Parts) {
  /** With a store, the least recently used first. */
  const worlds = new Map<string, NamedWorld>();
  const loading = new Map<string, Promise<void>>();
  let dueTimer: NodeJS.Timeout | undefined;
  const starting = new Map<string, Promise<unknown>>();
  /** Later calls get the time at which their world ended. */
  const gone = new Collection<string, { reason: string }>({ most: 100 });
  const events = new EventEmitter<{ change: [world: NamedWorld, change: WorldChange] }>();
  // Each watcher listens.
  events.setMaxListeners(0);
  const shared = createSharedBytes();
  let isClosed = false;
  let lastNumber = 0;

  async function create(plan: WorldPlan) {
    const { name } = plan;
    const expiresInMs = readExpiry(plan.expiresIn);
    if (!isWorldName(name)) throw new ControlError(400, `invalid world name ${quote(name)}; ${nameRule}`);
    if (isClosed) throw refuseEnding();
    if (name === mainWorld || worlds.has(name) || starting.has(name)) throw refuseTaken(name);
    if (!shelf && worlds.size + starting.size >= mostWorlds) throw refuseFull(`there are ${mostWorlds}`);
    const started = start(plan, expiresInMs).finally(() => starting.delete(name));
    starting.set(name, started);
    return started;
  }

  /** Nothing else returns the control token, since the world stores only its digest. */
  async function start({ name, hasOwnToken, settings }: WorldPlan, expiresInMs: number | undefined) {
    const controlToken = hasOwnToken ? randomBytes(24).toString('hex') : undefined;
    const tokenDigest = controlToken === undefined ? undefined : digest(controlToken);
    const place = { name, tokenDigest, settings };
    const stored = (await shelf?.add(place, expiresInMs)) ?? { ...place, ...lifetimeOf(expiresInMs) };
    try {
      const mock = await build(stored);
      if (!isClosed) return { world: add(stored, mock, 'begun'), controlToken };
      await closeMock(mock);
      throw refuseEnding();
    } catch (error) {
      await shelf?.remove(name);
      throw error;
    }
  }

  /** Drops `settings` and `open`, so that the text of the setup does not stay in memory. */
  function add(
    { settings: _settings, open: _open, ...place }: WorldBlueprint,
    mock: ServedMock,
    change: 'begun' | 'loaded',
  ): NamedWorld {
    const fresh = { number: ++lastNumber, responses: new Set<ServerResponse>(), timer: undefined };
    const world: NamedWorld = { ...place, ...fresh, mock };
    worlds.set(world.name, world);
    shared.add(mock);
    // Another process may end it.
    mock.store?.events.once('end', () => void remove(world.name, 'ended'));
    if (world.endsAt !== undefined) expireAt(world, world.endsAt);
    events.emit('change', world, change);
    return world;
  }

  /** Worlds expire by real time, not by their own clock. */
  function expireAt(world: NamedWorld, at: number): void {
    const waitMs = Math.min(Math.max(0, at - Date.now()), longestTimerMs);
    const reach = () => (at > Date.now() ? expireAt(world, at) : void remove(world.name, 'expired'));
    world.timer = setTimeout(reach, waitMs).unref();
  }

  /** Finds only worlds in memory (see `load`). */
  function find(name: string): NamedWorld | undefined {
    const world = worlds.get(name);
    if (shelf && world) {
      worlds.delete(name);
      worlds.set(name, world);
    }
    // Timers are late after the machine has slept.
    if ((world?.endsAt ?? Number.POSITIVE_INFINITY) > Date.now()) return world;
    void remove(name, 'expired');
    return undefined;
  }

  /** Loads a stored world; undefined if there is nothing to wait for. Rejects with a StoreError if the store fails. */
  function load(name: string): Promise<void> | undefined {
    if (!shelf || isClosed || worlds.has(name) || starting.has(name)) return undefined;
    const under = loading.get(name) ?? loadFrom(shelf, name).finally(() => loading.delete(name));
    loading.set(name, under);
    return under;
  }

  async function loadFrom(from: Shelf, name: string): Promise<void> {
    const stored = await from.find(name);
    // It may have been created since.
    if (!stored || starting.has(name) || worlds.has(name)) return;
    const mock = await build(stored);
    if (isClosed) return closeMock(mock);
    add(stored, mock, 'loaded');
    const idle = [...worlds.values()].filter(({ responses }) => responses.size === 0);
    for (const { name: unused } of idle.slice(0, Math.max(0, worlds.size - mostLoaded)))
      await remove(unused, 'unloaded');
  }

  async function loadDue(): Promise<void> {
    // The store logs its errors itself.
    const names = (await shelf?.due().catch(() => [])) ?? [];
    for (const name of names) await load(name)?.catch(() => {});
    if (shelf && !isClosed) dueTimer = setTimeout(() => void loadDue(), dueEveryMs).unref();
  }

  function explainMissing(name: string): string {
    const { reason = '' } = gone.get(name) ?? {};
    return `there is no world ${quote(name)}${reason}; create one with POST /_mock/worlds, or list them with GET /_mock/worlds`;
  }

  /** Throws a ControlError for main, and if there is no such world. */
  async function end(name: string): Promise<void> {
    if (name === mainWorld)
      throw new ControlError(
        409,
        'the main world ends only with the mock; POST /_mock/reset restores its initial state',
      );
    const wasStored = await shelf?.remove(name);
    if (!wasStored && !worlds.has(name)) throw new ControlError(404, explainMissing(name));
    await remove(name, 'ended');
  }

  async function remove(name: string, change: 'ended' | 'expired' | 'unloaded'): Promise<void> {
    const world = worlds.get(name);
    if (!world) return;
    worlds.delete(name);
    clearTimeout(world.timer);
    shared.remove(world.mock);
    if (change !== 'unloaded') {
      gone.delete(name);
      gone.set(name, { reason: `; it ${change} at ${isoTime(Date.now())}` });
    }
    events.emit('change', world, change);
    await closeMock(world.mock);
    // Streams have ended by now.
    for (const response of world.responses) if (!response.writableEnded) response.destroy();
  }

  return {
    create,
    find,
    load,
    loadDue,
    explainMissing,
    list: () => [...worlds.values()],
    end,
    async endAll(): Promise<void> {
      isClosed = true;
      clearTimeout(dueTimer);
      // The store is closed next, and worlds that are starting still use it.
      await Promise.allSettled([...starting.values(), ...loading.values()]);
      await Promise.all([...worlds.keys()].map((name) => remove(name, shelf ? 'unloaded' : 'ended')));
    },
    bytes: shared.bytes,
    events,
  };
}

function readExpiry(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = parseDuration(text);
  if (ms !== undefined && ms > 0 && ms <= tenYearsMs) return ms;
  throw new ControlError(
    400,
    `invalid expiry ${JSON.stringify(text)}; expected a positive duration of at most ten years, for example PT2H`,
  );
}

function lifetimeOf(expiresInMs: number | undefined): Lifetime {
  const createdAt = Date.now();
  const expiresAt = expiresInMs === undefined ? undefined : createdAt + expiresInMs;
  return { createdAt, expiresAt, endsAt: expiresAt };
}

/** Gives back the claims in a stored world, so that another process or the next start continues its pushes. */
async function closeMock({ app, controlApp, events, scheduler, store }: ServedMock): Promise<void> {
  events.emit('closing');
  if (store) await scheduler.giveBack();
  await store?.close();
  for (const one of new Set([app, controlApp])) await one.close();
}
