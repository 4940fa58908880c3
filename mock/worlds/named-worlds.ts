// The worlds by name, each a mock without a port of its own: making them, finding them, ending them.
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { ControlError } from '../control/control-error.ts';
import type { Control } from '../control/create-control.ts';
import type { Service } from '../service.ts';
import type { TenantAccess } from '../world/create-world.ts';
import { isWorldName, mainWorld, quote } from './choose-world.ts';
import { createDeadlines } from './deadlines.ts';
import { createSharedBytes } from './shared-bytes.ts';

/** What answers as a world. */
export interface BuiltWorld {
  app: FastifyInstance;
  controlApp: FastifyInstance;
  service: Service;
  control: Control;
  tenants: TenantAccess[];
  seed: number;
}

export interface NamedWorld extends BuiltWorld {
  name: string;
  /** Of its own. */
  controlToken: string | undefined;
  /** By real time, in milliseconds since 1970, as all times here. */
  createdAt: number;
  expiresAt: number | undefined;
  /** Requests that are under way in it. */
  responses: Set<ServerResponse>;
}

interface WorldPlan<Settings> {
  name: string;
  expiresInMs?: number | undefined;
  hasOwnToken?: boolean | undefined;
  settings: Settings;
}

export type WorldChange = 'begun' | 'ended' | 'expired';

export interface NamedWorlds<Settings> {
  create(plan: WorldPlan<Settings>): Promise<NamedWorld>;
  find(name: string): NamedWorld | undefined;
  /** Why there is none of that name. */
  explainMissing(name: string): string;
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

type Build<Settings> = (
  settings: Settings,
  place: { name: string; controlToken: string | undefined; end(): void },
) => Promise<BuiltWorld>;

export function createNamedWorlds<Settings>(build: Build<Settings>): NamedWorlds<Settings> {
  const worlds = new Map<string, NamedWorld>();
  const starting = new Set<string>();
  const gone = createGone();
  const listeners = new Set<(world: NamedWorld, change: WorldChange) => void>();
  const shared = createSharedBytes();
  const deadlines = createDeadlines((name) => void remove(name, 'expired'));
  let isClosed = false;

  function tell(world: NamedWorld, change: WorldChange): void {
    for (const listener of listeners) listener(world, change);
  }

  async function create({
    name,
    expiresInMs,
    hasOwnToken,
    settings,
  }: WorldPlan<Settings>): Promise<NamedWorld> {
    checkNew(name);
    starting.add(name);
    const controlToken = hasOwnToken ? randomBytes(24).toString('hex') : undefined;
    try {
      const built = await build(settings, { name, controlToken, end: () => void remove(name, 'ended') });
      if (isClosed) await closeBuilt(built);
      if (isClosed) throw new ControlError(409, 'POST /_mock/worlds: the mock is ending');
      const createdAt = Date.now();
      const expiresAt = expiresInMs === undefined ? undefined : createdAt + expiresInMs;
      const world = {
        ...built,
        name,
        controlToken,
        createdAt,
        expiresAt,
        responses: new Set<ServerResponse>(),
      };
      worlds.set(name, world);
      shared.add(world.service);
      if (expiresAt !== undefined) deadlines.set(name, expiresAt);
      tell(world, 'begun');
      return world;
    } finally {
      starting.delete(name);
    }
  }

  function checkNew(name: string): void {
    if (!isWorldName(name)) throw new ControlError(400, `${quote(name)} can't name a world; ${nameRule}`);
    if (name === mainWorld || worlds.has(name) || starting.has(name))
      throw new ControlError(
        409,
        `there is a world ${quote(name)} already; choose another name, or end it with DELETE /_mock/worlds/${name}`,
      );
    if (worlds.size + starting.size >= mostWorlds)
      throw new ControlError(
        409,
        `there are ${mostWorlds} worlds already; end one with DELETE /_mock/worlds/NAME, and let others expire ("expires_in")`,
      );
  }

  /** Nobody finds it any more, and what is under way in it is cut off. */
  async function remove(name: string, change: 'ended' | 'expired'): Promise<void> {
    const world = worlds.get(name);
    if (!world) return;
    worlds.delete(name);
    deadlines.delete(name);
    shared.remove(world.service);
    gone.add(name, change);
    tell(world, change);
    await closeBuilt(world);
    // Streams have been ended by that.
    for (const response of world.responses) if (!response.writableEnded) response.destroy();
  }

  return {
    create,
    find(name) {
      const world = worlds.get(name);
      // Timers are late where the machine has slept.
      if ((world?.expiresAt ?? Number.POSITIVE_INFINITY) > Date.now()) return world;
      void remove(name, 'expired');
      return undefined;
    },
    explainMissing: (name) => explainMissing(name, gone.reasonOf(name)),
    list: () => [...worlds.values()],
    async end(name) {
      if (name === mainWorld)
        throw new ControlError(
          409,
          'main is the root of the mock, and lasts as long as that; POST /_mock/reset puts it back to the beginning',
        );
      if (!worlds.has(name)) throw new ControlError(404, explainMissing(name, gone.reasonOf(name)));
      await remove(name, 'ended');
    },
    async endAll() {
      isClosed = true;
      deadlines.close();
      await Promise.all([...worlds.keys()].map((name) => remove(name, 'ended')));
    },
    bytes: shared.bytes,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const nameRule =
  'a name has 1 to 63 letters of ASCII, digits, hyphens, dots and underscores, of which the first is a letter or a digit';

function explainMissing(name: string, reason: string | undefined): string {
  const why = reason === undefined ? '' : `: it has ${reason}`;
  return `there is no world ${quote(name)}${why}; POST /_mock/worlds makes one, GET /_mock/worlds lists them`;
}

/** Ends its pushes, timers and streams. */
async function closeBuilt({ app, controlApp, service }: BuiltWorld): Promise<void> {
  service.events.emit('closing');
  for (const one of new Set([app, controlApp])) await one.close();
}

const mostRemembered = 100;

/** Of what became of the latest worlds that are no more, so that late calls learn it. */
function createGone() {
  const reasons = new Map<string, string>();
  return {
    add(name: string, change: 'ended' | 'expired') {
      reasons.delete(name);
      reasons.set(name, `${change} at ${new Date().toISOString()}`);
      const [oldest] = reasons.keys();
      if (reasons.size > mostRemembered && oldest !== undefined) reasons.delete(oldest);
    },
    reasonOf: (name: string) => reasons.get(name),
  };
}
