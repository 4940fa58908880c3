import { isDeepStrictEqual } from 'node:util';
import { loadProfile, type Profile, statedValues } from '../../openapi/profile.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Mock } from '../service.ts';
import { type OpenedStore, openStore } from '../store/open-store.ts';
import { StoreError } from '../store/store-error.ts';
import { changeClockMode } from '../world/time.ts';
import { readSetup, type WorldSettings, writeSetup } from '../worlds/world-settings.ts';
import { goOnWith } from './create-core.ts';
import { type KeptOptions, MockError, StoreUnreachable } from './mock-options.ts';
import { readBeginning, readSettings } from './read-settings.ts';

/** Throws StoreUnreachable, a MockError for options that contradict the persisted world, and errors of reading the options. */
export async function openStored(options: KeptOptions, metrics: Metrics) {
  const { store: url, storeMigrate, log = () => {} } = options;
  const store = await openStore(url, log, metrics, { migrates: storeMigrate !== 'never' }).catch(
    explainOpening,
  );
  try {
    const { main, url: place } = store;
    const written = main.setup ?? writeSetup(await readChosen(options));
    const setup = readSetup(written, { place, source: `the profile in ${place}` });
    if (main.setup !== undefined) await checkAgainst(setup, options);
    return {
      store,
      settings: await readSettings({ ...options, profile: setup.profile }, setup),
      /** Continues the persisted world, or persists the new one. Throws a MockError if the store can't do that. */
      async begin(mock: Mock): Promise<void> {
        const { store: opened, world } = mock;
        if (main.setup === undefined) await beginMain(store, written).catch(explainOpening);
        const goOn = () => {
          if (main.setup !== undefined && options.clock)
            world.clock = changeClockMode(world.clock, options.clock);
          goOnWith(mock, main);
        };
        await opened?.turn(goOn).catch(explainOpening);
        await chooseFaults(mock, options.faults).catch(explainOpening);
      },
    };
  } catch (error) {
    await store.close();
    return explainOpening(error);
  }
}

/** The second of two processes that start at once continues the world of the first. Throws a StoreError if their setups differ. */
async function beginMain({ url, worlds }: OpenedStore, setup: string): Promise<void> {
  if ((await worlds.begin(setup)) !== setup)
    throw new StoreError(
      `store ${url}: another process has just created a world there with another profile, seed or initial world`,
    );
}

/** Setting the same faults again would clear their memory. */
async function chooseFaults({ faults }: Mock, ids: readonly string[] = []): Promise<void> {
  const isSame = new Set(ids).symmetricDifference(new Set(faults.on())).size === 0;
  if (ids.length > 0 && !isSame) await faults.set(ids);
}

function explainOpening(error: unknown): never {
  if (error instanceof StoreError)
    throw new (error.reason === 'unreachable' ? StoreUnreachable : MockError)(error.message);
  throw error;
}

async function readChosen({ profile = 'default', seed = 1, world, tenants }: KeptOptions) {
  return { profile: readProfile(profile), seed, beginning: await readBeginning(world, tenants) };
}

function readProfile(profile: string | Profile): Profile {
  return typeof profile === 'string' ? loadProfile(profile) : profile;
}

/** Throws a MockError for an option that differs from the persisted world. */
async function checkAgainst(
  setup: WorldSettings,
  { store, profile, seed, world, tenants }: KeptOptions,
): Promise<void> {
  const refuse = (what: string) => {
    throw new MockError(
      `the store ${store} contains a world that was created ${what}; omit that option to continue this world, or use another store`,
    );
  };
  const given = profile !== undefined && statedValues(readProfile(profile));
  if (given && !isDeepStrictEqual(given, statedValues(setup.profile)))
    refuse(`with another profile, ${setup.profile.name}`);
  if (seed !== undefined && seed !== setup.seed) refuse(`with another seed, ${setup.seed}`);
  if (world === undefined && tenants === undefined) return;
  const beginning = await readBeginning(world, tenants);
  if (JSON.stringify(beginning) !== JSON.stringify(setup.beginning)) refuse('from another initial world');
}
