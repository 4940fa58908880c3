// The work that waits for a turn.
interface Waiting {
  work(): unknown;
  resolve(result: unknown): void;
  reject(error: unknown): void;
  since: number;
  needsJournal: boolean;
}

/** A piece of work that was done in a turn. */
export interface Done extends Waiting {
  settle(): void;
}

/** The most pieces of work in a turn. */
const mostCalls = 256;
/** How long work is tried again after transient errors. */
const patienceMs = 2000;

export function createWaitingLine() {
  let queue: Waiting[] = [];

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
    /** Does waiting work until about this time by performance.now(), and at least one piece. */
    run(until: number): Done[] {
      const done: Done[] = [];
      for (let next = queue.shift(); next; next = queue.shift()) {
        done.push(doWork(next));
        if (done.length === mostCalls || performance.now() > until) break;
      }
      return done;
    },
    /** A turn was not persisted. After a transient error its work waits again, in its order; other work is told the error. */
    refuse(done: readonly Done[], error: unknown, { isTransient }: { isTransient: boolean }): void {
      const waiting: readonly Waiting[] = [...done, ...queue];
      const isOver = ({ since }: Waiting) => !isTransient || performance.now() > since + patienceMs;
      // Work that was not done waits for the next turn. If a turn had none, all that waits is told.
      const over = isTransient ? waiting.filter(isOver) : done.length > 0 ? done : queue;
      queue = waiting.filter((one) => !over.includes(one as Done));
      for (const { reject } of over) reject(error);
    },
    /** Tells all who wait the error. */
    end(error: unknown): void {
      for (const { reject } of queue.splice(0)) reject(error);
    },
  };
}

function doWork(waiting: Waiting): Done {
  try {
    const result = waiting.work();
    // The promise is handed over when the turn is persisted, and may fail before.
    if (result instanceof Promise) result.catch(() => {});
    return { ...waiting, settle: () => waiting.resolve(result) };
  } catch (error) {
    return { ...waiting, settle: () => waiting.reject(error) };
  }
}
