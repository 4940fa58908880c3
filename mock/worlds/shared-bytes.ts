// Each named world may fill its own limits, but not all of them at once.
import type { Mock } from '../service.ts';
import { filled } from '../world/bytes.ts';

/** In bytes, the sum of the limits of one world and its journal. */
export const sharedBound = 192_000_000;

/** The largest world is shrunk to this share of its bytes. */
const share = 0.5;

export function createSharedBytes(bound = sharedBound) {
  const sizes = new Map<Mock, number>();
  let total = 0;

  function measure(mock: Mock): number {
    const before = sizes.get(mock);
    if (before === undefined) return 0;
    let bytes = mock.journal.bytes();
    for (const limit of Object.values(mock.world.byteLimits)) bytes += limit.bytes;
    sizes.set(mock, bytes);
    total += bytes - before;
    return bytes;
  }

  function makeRoom(): void {
    for (const mock of sizes.keys()) measure(mock);
    while (total > filled * bound) {
      const [largest, before] = [...sizes].reduce((most, next) => (next[1] > most[1] ? next : most));
      for (const limit of Object.values(largest.world.byteLimits)) limit.shrink(share);
      largest.journal.shrink(share);
      if (measure(largest) >= before) return;
    }
  }

  return {
    add(mock: Mock): void {
      sizes.set(mock, 0);
      const onEvent = () => {
        measure(mock);
        if (total > bound) makeRoom();
      };
      for (const event of ['request', 'message', 'attempt', 'clock'] as const) mock.events.on(event, onEvent);
      measure(mock);
    },
    remove(mock: Mock): void {
      total -= sizes.get(mock) ?? 0;
      sizes.delete(mock);
    },
    bytes: () => total,
  };
}
