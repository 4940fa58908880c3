// The mock with its world in a file or a database, or in memory. Its argument is where, and of how many tenants.
import { startMock } from '../../../mock/start.ts';
import { createBenchWorld } from '../bench-world.ts';
import { readArgument, serve } from '../serve.ts';

export interface KeptMock {
  /** Undefined: in memory. */
  store?: string | undefined;
  tenants: number;
}

const tenantsOfNamed = 20;

const { store, tenants } = readArgument() as KeptMock;
const startedAt = performance.now();
const mock = await startMock({
  ...(store !== undefined && { store }),
  world: createBenchWorld(tenants),
  log: (entry) => console.error(entry),
});
const { baseUrl, controlUrl } = mock;
serve(
  {
    origin: new URL(baseUrl).origin,
    controlUrl,
    startSeconds: (performance.now() - startedAt) / 1000,
  },
  {
    /** Moves the clock, which resets all limits. By HTTP, since others may share it. */
    async refresh() {
      const body = JSON.stringify({ advance: 'PT1M' });
      const headers = { 'content-type': 'application/json' };
      const { status } = await fetch(`${controlUrl}/clock`, { method: 'POST', headers, body });
      if (status !== 200) throw new Error(`the clock was not moved: ${status}`);
    },
    /** A world by this name, with a few of the tenants. */
    async add(name) {
      await mock.worlds.create({ name: String(name), world: createBenchWorld(tenantsOfNamed) });
    },
    close: mock.close,
  },
);
