import { rescheduleInterrupted } from '../control/saved-world.ts';
import type { Mock } from '../service.ts';
import type { MockOptions } from './mock-options.ts';

/** Goes on with a world that a store has kept, if it has. */
export function goOnWith({ store, world }: Mock, kept: MockOptions['store']): void {
  // Where others share it, they may be working on what looks interrupted.
  if (kept?.world && !store?.shared) rescheduleInterrupted(world);
}
