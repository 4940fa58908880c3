import type { World } from '../world/world.ts';

/** When somebody has to look at the world, where nobody calls it; in milliseconds since 1970, by the clock of the engine. Undefined: never, until it is called. */
export function nextDueOf({ jobs, clock }: World, aheadMs: number): number | undefined {
  // Who moves a manual clock does what comes due.
  if (clock.mode === 'manual') return undefined;
  let next: number | undefined;
  for (const { at, held } of jobs.order) {
    const due = held ? held.until : at - clock.offset + aheadMs;
    if (next === undefined || due < next) next = due;
    // They stand in the order of their times.
    if (!held) break;
  }
  return next;
}
