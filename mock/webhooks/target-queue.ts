interface TargetState {
  active: number;
  waiting: (() => void)[];
}

/** Limits how many requests run at a time for each target; the others wait for their turn, in order. */
export function createTargetQueue(limit: number) {
  const targets = new Map<string, TargetState>();
  return {
    async acquire(target: string): Promise<void> {
      const state = targets.get(target) ?? { active: 0, waiting: [] };
      targets.set(target, state);
      // A released turn goes to the next in line, so `active` stays the same.
      if (state.active >= limit) await new Promise<void>((resolve) => state.waiting.push(resolve));
      else state.active++;
    },
    release(target: string): void {
      const state = targets.get(target);
      const next = state?.waiting.shift();
      if (next) next();
      else if (state && --state.active === 0) targets.delete(target);
    },
  };
}
