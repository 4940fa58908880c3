// The mock with its world in a file. Its argument is where, and of how many tenants.
import { startMock } from '../../../mock/start.ts';
import { createBenchWorld } from '../bench-world.ts';
import { readArgument, serve } from '../serve.ts';

export interface KeptMock {
  store: string;
  tenants: number;
}

const { store, tenants } = readArgument() as KeptMock;
const startedAt = performance.now();
const mock = await startMock({
  store,
  world: createBenchWorld(tenants),
  log: (entry) => console.error(entry),
});
serve(
  { origin: new URL(mock.baseUrl).origin, startSeconds: (performance.now() - startedAt) / 1000 },
  {
    /** Moves the clock, which resets all limits. */
    async refresh() {
      await mock.control.advance('PT1M');
    },
    close: mock.close,
  },
);
