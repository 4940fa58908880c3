// The work that waits for a turn, or for what a turn does to be persisted.
interface Waiting {
  work(): unknown;
  resolve(result: unknown): void;
  reject(error: unknown): void;
  since: number;
  needsJournal: boolean;
  /** Tells what the work has given. Undefined: it is not done yet. */
  settle?: () => void;
}

/** The most pieces of work in a turn. */
const mostCalls = 256;
/** How long work is tried again after transient errors. */
const patienceMs = 2000;

export function createWaitingLine() {
  let queue: Waiting[] = [];
  /** What the turn under way has done. */
  let done: Waiting[] = [];

  return {
    /** Adds work at the end. Returns its result when its turn is persisted. */
    add: <Result>(work: () => Result, needsJournal: boolean) =>
      new Promise<Result>((resolve, reject) => {
        const since = performance.now();
        queue.push({ work, resolve: resolve as Waiting['resolve'], reject, since, needsJournal });
      }),
    length: () => queue.length,
    /** Whether any waiting work needs all of the journal. */
    needsJournal: () => queue.some(({ needsJournal }) => needsJournal),
    /** Does waiting work until about this time by performance.now(), and at least one piece. Returns how many were done. */
    run(until: number): number {
      for (let next = queue.shift(); next; next = queue.shift()) {
        next.settle = outcomeOf(next);
        done.push(next);
        if (done.length === mostCalls || performance.now() > until) break;
      }
      return done.length;
    },
    /** The turn was persisted. */
    settle(): void {
      for (const { settle } of done.splice(0)) settle?.();
    },
    /** The turn was not persisted. After a transient error its work waits again, in its order; other work is told the error. */
    refuse(error: unknown, { isTransient }: { isTransient: boolean }): void {
      const waiting = [...done, ...queue];
      const isOver = ({ since }: Waiting) => performance.now() > since + patienceMs;
      // Work that was not done waits for the next turn. If a turn had none, all that waits is told.
      const over = isTransient ? waiting.filter(isOver) : done.length > 0 ? done : queue;
      queue = waiting.filter((one) => !over.includes(one));
      done = [];
      for (const { reject } of over) reject(error);
    },
    /** Tells all who wait the error. */
    end(error: unknown): void {
      for (const { reject } of queue.splice(0)) reject(error);
    },
  };
}

function outcomeOf({ work, resolve, reject }: Waiting): () => void {
  try {
    const result = work();
    // The promise is handed over when the turn is persisted, and may fail before.
    if (result instanceof Promise) result.catch(() => {});
    return () => resolve(result);
  } catch (error) {
    return () => reject(error);
  }
}
