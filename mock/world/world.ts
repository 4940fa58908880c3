// The whole state of the mock as plain data; handlers keep no other state.
import { createCollections } from './collections.ts';
import type { Snapshot } from './entries.ts';

/** The name of the world at the root. */
export const mainWorld = 'main';

export interface World extends ReturnType<typeof createCollections> {
  /** State of the random generator (see random.ts). */
  random: number;
  clock: ClockState;
  /** The last assigned id, by kind. */
  counters: Counters;
  /** The ids of the faults that are on. */
  faults: readonly string[];
}

/** A manual clock is stopped at its time; a real one is ahead of the machine's by its offset. */
export type ClockState = Snapshot['clock'];

export type Counters = Snapshot['counters'];

export function createEmptyWorld(seed: number, clock: ClockState): World {
  return {
    random: seed,
    clock,
    counters: {
      tenant: 0,
      apiKey: 0,
      site: 0,
      content: 0,
      submission: 0,
      comment: 0,
      publication: 0,
      subscription: 0,
      delivery: 0,
      job: 0,
    },
    ...createCollections(),
    faults: [],
  };
}
