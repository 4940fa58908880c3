// A world is the whole state of a mock as plain data; handlers have no other state.
import { createCollections } from './collections.ts';
import type { Snapshot } from './entries.ts';

export const mainWorld = 'main';

export interface World extends ReturnType<typeof createCollections> {
  random: number;
  clock: ClockState;
  /** The last assigned id of each kind. */
  counters: Counters;
  /** Ids of the active faults. */
  faults: readonly string[];
}

/** A manual clock shows `time`; a real one is `offset` milliseconds ahead of the machine's. */
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
