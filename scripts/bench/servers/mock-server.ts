// The mock with all its behaviours, as a library. Its argument is the number of tenants.
import { startMock } from '../../../mock/start.ts';
import { createBenchWorld } from '../bench-world.ts';
import { readArgument, serve } from '../serve.ts';

const { baseUrl, controlUrl, control } = await startMock({
  world: createBenchWorld(Number(readArgument())),
  log: (entry) => console.error(entry),
});
serve(
  { origin: new URL(baseUrl).origin, controlUrl },
  {
    /** Moves the clock, which resets all limits. */
    async refresh() {
      await control.advance('PT1M');
    },
  },
);
