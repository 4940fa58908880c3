// Starts the mock on a port: the library's entrance, and the command line's.
import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { loadProfile, type Profile } from '../openapi/profile.ts';
import type { Control } from './control/create-control.ts';
import { explainUnknownFault } from './faults/fault-switch.ts';
import { allowBrowsers } from './server/cors.ts';
import { addressesOf, createMock, type MockOptions } from './server/create-mock.ts';
import { createShutdown, type Shutdown } from './server/shutdown.ts';
import type { Log, Settings } from './service.ts';
import { explainUnknown } from './variations/variations.ts';
import type { TenantAccess } from './world/create-world.ts';
import type { WorldSeed } from './world/world-seed.ts';

export interface StartOptions {
  /** 0, unless told otherwise: any free one. */
  port?: number;
  /** An address to listen on, 127.0.0.1 unless told otherwise. Any but a loopback address demands a control token. */
  host?: string;
  /** The path of a profile, the name of one that comes with the package, or a profile that was read already. */
  profile?: string | Profile;
  /** The path of a world file, or what stands in one. */
  world?: string | WorldSeed;
  /** The same seed and the same calls give the same world. */
  seed?: number;
  /** `manual` stands still at a fixed time until it is moved; `real` (the default) goes on by itself and can be moved too. */
  clock?: 'real' | 'manual';
  /** Every answer of the service is held back for a time in between, in milliseconds. */
  latency?: NonNullable<Settings['latency']>;
  /** Lets web pages of any origin call the mock. */
  cors?: boolean;
  /** What calls of the control API must carry as a Bearer token; made here where the host demands one. */
  controlToken?: string;
  /** A port of its own for the control API. */
  controlPort?: number;
  /** Refuses subscriptions and pushes to private networks, as a service that runs elsewhere would do. */
  refusePrivateTargets?: boolean;
  /** What the mock does otherwise than usual, and is free to: the ids of variations (see docs/mock.md), or "all". */
  variations?: readonly string[];
  /** What the mock does wrong: the ids of faults (see docs/mock.md). */
  faults?: readonly string[];
  /** Takes what goes wrong inside, one entry a call. */
  log?: Log;
}

export interface StartedMock extends Shutdown {
  /** Ends in /api/v1. */
  baseUrl: string;
  /** Where the control API is, outside the base address. */
  controlUrl: string;
  /** What the control API demands, if it does. */
  controlToken: string | undefined;
  tenants: TenantAccess[];
  /** The control API without HTTP. */
  control: Control;
}

/** The mock can't be started; the message says why and what to do. */
export class MockError extends Error {}

/** Starts a mock. Throws MockError, ProfileError or WorldFileError where it can't be started as told. */
export async function startMock(options: StartOptions = {}): Promise<StartedMock> {
  const { port = 0, host = '127.0.0.1', controlPort } = options;
  const controlToken =
    options.controlToken ?? (isLoopback(host) ? undefined : randomBytes(24).toString('hex'));
  const { app, controlApp, service, tenants, control } = createMock({
    ...(await readOptions(options)),
    hasControlApart: controlPort !== undefined,
    ...(controlToken !== undefined && { controlToken }),
  });
  const apps = [...new Set([app, controlApp])];
  if (options.cors) for (const one of apps) await allowBrowsers(one, service);
  const shutdown = createShutdown(apps, service);
  try {
    await listen(app, port, host);
    if (controlPort !== undefined) await listen(controlApp, controlPort, host);
  } catch (error) {
    await shutdown.close();
    throw error;
  }
  return { ...addressesOf(app, controlApp), controlToken, tenants, control, ...shutdown };
}

async function readOptions(options: StartOptions): Promise<MockOptions> {
  const { profile = 'default', seed = 1, clock = 'real', log = () => {}, world, latency } = options;
  const { variations = [], faults = [] } = options;
  const unknown = explainUnknown(variations) ?? (await explainUnknownFault(faults));
  if (unknown !== undefined) throw new MockError(unknown);
  return {
    profile: typeof profile === 'string' ? loadProfile(profile) : profile,
    seed,
    clock,
    variations,
    faults,
    log,
    ...(world !== undefined && { world: await readWorld(world) }),
    settings: {
      ...(latency && { latency }),
      refusesPrivateTargets: options.refusePrivateTargets ?? false,
    },
  };
}

async function readWorld(world: string | WorldSeed): Promise<WorldSeed> {
  // Loaded on demand: the demo world needs neither a check nor YAML.
  if (typeof world === 'string')
    return (await import('./world-file/read-world-file.ts')).readWorldFile(world);
  return (await import('./world-file/validate-seed.ts')).checkWorldSeed(world, 'world');
}

async function listen(app: FastifyInstance, port: number, host: string): Promise<void> {
  try {
    // biome-ignore lint/nursery/useAwaitThenable: Fastify's overload without a callback gives a promise
    await app.listen({ port, host });
  } catch (error) {
    throw explain(error, port, host);
  }
}

function isLoopback(host: string): boolean {
  return /^(localhost|::1|127(\.\d{1,3}){3})$/.test(host);
}

function explain(error: unknown, port: number, host: string): Error {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return new MockError(
      `port ${port} on ${host} is in use; choose another with --port, or --port 0 for any free one`,
    );
  }
  return new MockError(
    `can't listen on port ${port} of ${host}: ${error instanceof Error ? error.message : String(error)}`,
  );
}
