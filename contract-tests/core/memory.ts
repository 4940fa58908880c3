// How much memory a command takes, beside what it keeps: by itself Node collects garbage only after hundreds of megabytes.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Threads that are started from now on keep 8 MB of what is new, instead of 64 MB, until they collect garbage. */
export function keepThreadsSmall(): void {
  setFlagsFromString('--max-semi-space-size=8');
}

/** Lets go of everything that is not used any more. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('globalThis.gc');
  if (typeof collect === 'function') collect();
}
