// Work that waits for its turn.
export interface WaitingLine {
  /** Adds work to the end, and returns its result when the turn in which it was done is settled. */
  add<Result>(work: () => Result, needsJournal: boolean): Promise<Result>;
  length(): number;
  /** Whether anybody who waits needs all of the journal. */
  needsJournal(): boolean;
  /** Does what waits, until about this time by performance.now(), but something at least. */
  run(until: number): Done[];
  /** A turn is not kept. What may work soon waits again, in its order; the rest is told the error. */
  refuse(done: readonly Done[], error: unknown, how: { isTransient: boolean }): void;
  /** Tells all who wait the error. */
  end(error: unknown): void;
}

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

/** A turn takes no more of them. */
const mostCalls = 256;
/** So long it is tried again, where that may work soon. */
const patienceMs = 2000;

export function createWaitingLine(): WaitingLine {
  let queue: Waiting[] = [];

  return {
    add: <Result>(work: () => Result, needsJournal: boolean) =>
      new Promise<Result>((resolve, reject) => {
        const since = performance.now();
        queue.push({ work, resolve: resolve as Waiting['resolve'], reject, since, needsJournal });
      }),
    length: () => queue.length,
    needsJournal: () => queue.some(({ needsJournal }) => needsJournal),
    run(until) {
      const done: Done[] = [];
      for (let next = queue.shift(); next; next = queue.shift()) {
        done.push(doWork(next));
        if (done.length === mostCalls || performance.now() > until) break;
      }
      return done;
    },
    refuse(done, error, { isTransient }) {
      const waiting: readonly Waiting[] = [...done, ...queue];
      const isOver = ({ since }: Waiting) => !isTransient || performance.now() > since + patienceMs;
      // What was not done yet waits for the next turn, or is told the same.
      const over = isTransient ? waiting.filter(isOver) : done.length > 0 ? done : queue;
      queue = waiting.filter((one) => !over.includes(one as Done));
      for (const { reject } of over) reject(error);
    },
    end(error) {
      for (const { reject } of queue.splice(0)) reject(error);
    },
  };
}

function doWork(waiting: Waiting): Done {
  try {
    const result = waiting.work();
    // It is handed over when the turn is kept, and may fail before.
    if (result instanceof Promise) result.catch(() => {});
    return { ...waiting, settle: () => waiting.resolve(result) };
  } catch (error) {
    return { ...waiting, settle: () => waiting.reject(error) };
  }
}
