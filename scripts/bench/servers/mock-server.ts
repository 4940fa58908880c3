// The mock as a library. Its argument says of how many tenants, with limits or without, and where its world is kept.
import { type StartOptions, startMock } from '../../../mock/start.ts';
import { createBenchWorld } from '../calls.ts';
import { readArgument, serve } from '../child.ts';

interface BenchMock {
  tenants: number;
  isUnlimited?: boolean;
  /** Undefined: in memory. */
  store?: string;
}

const { tenants, isUnlimited = false, store } = readArgument() as BenchMock;
const options: StartOptions = {
  world: createBenchWorld(tenants),
  limits: isUnlimited ? 'off' : 'on',
  log: (entry) => console.error(entry),
};
const { baseUrl, control } =
  store === undefined ? await startMock(options) : await startMock({ ...options, store });
// Moving the clock resets all limits.
serve(new URL(baseUrl).origin, { refresh: async () => void (await control.advance('PT1M')) });
