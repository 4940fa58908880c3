// The places that a process has for attempts: few to each target, so that a slow one does not take them all.

export interface Places {
  /** Takes a place, and returns whether there was one. */
  take(target: string): boolean;
  /** Returns what leaves a place, once: then there may be more to do. */
  leaveOnce(target: string, then: () => void): () => void;
}

/** So many attempts a process holds at the same time; more would wait where they are. */
const most = 128;
/** And so many to the same target, as many as are sent to it at the same time. */
const mostOfTarget = 16;

export function createPlaces(): Places {
  const takenOf = new Map<string, number>();
  let taken = 0;

  function leave(target: string): void {
    taken--;
    const count = (takenOf.get(target) ?? 0) - 1;
    if (count > 0) takenOf.set(target, count);
    else takenOf.delete(target);
  }

  return {
    take(target) {
      const count = takenOf.get(target) ?? 0;
      if (taken >= most || count >= mostOfTarget) return false;
      takenOf.set(target, count + 1);
      taken++;
      return true;
    },
    leaveOnce(target, then) {
      let isLeft = false;
      return () => {
        if (isLeft) return;
        isLeft = true;
        leave(target);
        then();
      };
    },
  };
}
