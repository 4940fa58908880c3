// How many bytes the worlds by name keep together: each may fill the bounds of a world, but not all of them at once.
import type { Mock } from '../service.ts';
import { limitsOf } from '../world/collections.ts';
import type { World } from '../world/world.ts';

/** As much as main alone keeps at most. */
export const sharedBound = 192_000_000;

/** So much is left when the bound was reached, so that the next entries cost nothing. */
const filled = 0.9;
/** What is left to the one that keeps most. */
const share = 0.5;
const mostRounds = 1000;
const measured = ['request', 'message', 'attempt', 'clock'] as const;

export function createSharedBytes(bound = sharedBound) {
  const sizes = new Map<Mock, { bytes: number; forget(): void }>();
  let total = 0;

  function measure(mock: Mock): number {
    const size = sizes.get(mock);
    if (!size) return 0;
    const bytes = bytesOfWorld(mock.world) + mock.journal.bytes();
    total += bytes - size.bytes;
    size.bytes = bytes;
    return bytes;
  }

  function makeRoom(): void {
    for (let round = 0; total > filled * bound && round < mostRounds; round++) {
      const [largest] = [...sizes.entries()].reduce((most, next) =>
        next[1].bytes > most[1].bytes ? next : most,
      );
      const before = measure(largest);
      for (const limit of Object.values(limitsOf(largest.world))) limit.shrink(share);
      largest.journal.shrink(share);
      if (measure(largest) >= before) return;
    }
  }

  return {
    add(mock: Mock): void {
      const onEvent = () => {
        measure(mock);
        if (total > bound) makeRoom();
      };
      for (const event of measured) mock.events.on(event, onEvent);
      const forget = () => {
        for (const event of measured) mock.events.off(event, onEvent);
      };
      sizes.set(mock, { bytes: 0, forget });
      measure(mock);
    },
    remove(mock: Mock): void {
      const size = sizes.get(mock);
      if (!size) return;
      size.forget();
      total -= size.bytes;
      sizes.delete(mock);
    },
    bytes: () => total,
  };
}

function bytesOfWorld(world: World): number {
  return Object.values(limitsOf(world)).reduce((sum, { bytes }) => sum + bytes, 0);
}
