import { type StartOptions, startMock } from '../../../mock/start.ts';
import { createBenchWorld } from '../calls.ts';
import { readArgument, serve } from '../server.ts';

export interface BenchMock {
  tenants: number;
  isUnlimited?: boolean;
  /** In memory unless given. */
  store?: string;
}

const { tenants, isUnlimited = false, store } = readArgument() as BenchMock;
const options: StartOptions = {
  world: createBenchWorld(tenants),
  limits: isUnlimited ? 'off' : 'on',
  log: (entry) => console.error(entry),
};
const { baseUrl, control } = await (store === undefined
  ? startMock(options)
  : startMock({ ...options, store }));
// Moving the clock resets all limits.
serve(new URL(baseUrl).origin, { refresh: async () => void (await control.advance('PT1M')) });
