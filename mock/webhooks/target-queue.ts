interface Waiter {
  start: () => void;
  next: Waiter | undefined;
}

interface TargetState {
  active: number;
  /** The first and the last of those that wait. They are linked, since taking the first off an array would move all others. */
  first: Waiter | undefined;
  last: Waiter | undefined;
}

/** Limits how many requests run at a time for each target; the others wait for their turn, in order. */
export function createTargetQueue(limit: number) {
  const targets = new Map<string, TargetState>();
  return {
    /** Undefined where nobody has to wait. */
    acquire(target: string): Promise<void> | undefined {
      const state = targets.get(target) ?? { active: 0, first: undefined, last: undefined };
      if (state.active >= limit) return new Promise((start) => append(state, { start, next: undefined }));
      if (state.active++ === 0) targets.set(target, state);
      return undefined;
    },
    release(target: string): void {
      const state = targets.get(target);
      const next = state?.first;
      // A released turn goes to the next in line, so `active` stays the same.
      if (state && next) {
        state.first = next.next;
        next.start();
      } else if (state && --state.active === 0) targets.delete(target);
    },
  };
}

function append(state: TargetState, waiter: Waiter): void {
  if (state.first && state.last) state.last.next = waiter;
  else state.first = waiter;
  state.last = waiter;
}
