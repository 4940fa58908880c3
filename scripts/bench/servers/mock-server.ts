// The mock with all its behaviours, as a library; told how many tenants its world is to have.
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
    /** Frees all limits, as time does. */
    async refresh() {
      await control.advance('PT1M');
    },
  },
);
