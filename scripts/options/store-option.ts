// What keeps the world of a mock.
import { hidesPassword } from '../../mock/store/store-url.ts';
import { type Environment, type Flag, type Given, readSecret, textFlag } from './flags.ts';
import { readDuration } from './read-duration.ts';
import { UsageError } from './usage-error.ts';

export const storeFlag: Flag = textFlag(
  'STORE',
  'keep the world in a file (file:mock.db) or a database (postgres://…), and go on with it at the next start; a URL with a password comes by SITEPUB_STORE or SITEPUB_STORE_FILE (default: the world lives in memory)',
);

export const storeWaitFlag: Flag = textFlag(
  'TIME',
  'how long a database is waited for that is not there at the start, such as 2m or 0 (default: 30s); then the exit code is 3',
);

export const storeMigrateFlag: Flag = textFlag(
  'start|never',
  'never only checks whether the tables of the store fit; `sitepub store migrate` makes them then (default: start)',
);

/** Throws UsageError. */
export function readStoreMigrate(given: Given): 'start' | 'never' {
  const word = given.text('store-migrate') ?? 'start';
  if (word === 'start' || word === 'never') return word;
  throw new UsageError(`--store-migrate is "${word}"; expected start or never`);
}

/** In milliseconds. */
export function readStoreWait(given: Given): number {
  return readDuration('--store-wait', given.text('store-wait') ?? '30s');
}

/** Throws UsageError. */
export function readStore(given: Given, environment: Environment = process.env): string | undefined {
  const secret = readSecret('SITEPUB_STORE', environment);
  const store = given.text('store') ?? secret;
  if (store === undefined) return undefined;
  if (store !== secret && hidesPassword(store))
    throw new UsageError(
      '--store has a password in it, which every process list shows; set SITEPUB_STORE or SITEPUB_STORE_FILE to that URL, and leave --store out',
    );
  if (given.switched('watch'))
    throw new UsageError(
      '--watch begins anew with a changed file, and --store goes on with the world that it keeps; leave one of them out',
    );
  return store;
}
