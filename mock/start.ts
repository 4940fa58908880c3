// Starts the mock on a port: the library's entrance, and the command line's.
import { loadProfile } from '../openapi/profile.ts';
import { type Clock, realClock } from './clock.ts';
import type { TenantAccess } from './demo-world.ts';
import { basePath } from './paths.ts';
import { createMock } from './server.ts';
import type { Log } from './service.ts';

export interface StartOptions {
  /** 0 for any free one. */
  port?: number;
  /** A loopback address: whoever reaches the mock can do all that it can. */
  host?: string;
  /** The path of a profile, or the name of one that comes with the package. */
  profile?: string;
  /** The same seed and the same calls give the same world. */
  seed?: number;
  clock?: Clock;
  /** Takes what goes wrong inside, one entry a call. */
  log?: Log;
}

export interface StartedMock {
  /** Ends in /api/v1. */
  baseUrl: string;
  /** Where the control API is, outside the base address. */
  controlUrl: string;
  tenants: TenantAccess[];
  /** Ends at once, whatever is under way. */
  close(): Promise<void>;
}

/** The mock can't be started; the message says why and what to do. */
export class MockError extends Error {}

export async function startMock(options: StartOptions = {}): Promise<StartedMock> {
  const {
    port = 0,
    host = '127.0.0.1',
    profile = 'default',
    seed = 1,
    clock = realClock,
    log = () => {},
  } = options;
  if (!isLoopback(host))
    throw new MockError(
      `${host} is not a loopback address; the mock listens on 127.0.0.1, ::1 or localhost only`,
    );
  const { app, tenants } = createMock({ profile: loadProfile(profile), seed, clock, log });
  try {
    // biome-ignore lint/nursery/useAwaitThenable: Fastify's overload without a callback gives a promise
    await app.listen({ port, host });
  } catch (error) {
    await app.close();
    throw explain(error, port, host);
  }
  const origin = app.listeningOrigin;
  return {
    baseUrl: `${origin}${basePath}`,
    controlUrl: `${origin}/_mock`,
    tenants,
    close: () => app.close(),
  };
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
