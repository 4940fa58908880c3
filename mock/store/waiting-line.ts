// Queues work for the next turn, and withholds the results until the turn is persisted.
interface Waiting {
  work(): unknown;
  resolve(result: unknown): void;
  reject(error: unknown): void;
  since: number;
  needsJournal: boolean;
  /** Resolves or rejects the promise of the caller; undefined before the work has run. */
  settle?: () => void;
}

const mostCalls = 256;
/** How long work is retried after transient errors. */
const patienceMs = 2000;

export function createWaitingLine() {
  let queue: Waiting[] = [];
  let done: Waiting[] = [];

  return {
    add: <Result>(work: () => Result, needsJournal: boolean) =>
      new Promise<Result>((resolve, reject) => {
        const since = performance.now();
        queue.push({ work, resolve: resolve as Waiting['resolve'], reject, since, needsJournal });
      }),
    length: () => queue.length,
    needsJournal: () => queue.some(({ needsJournal }) => needsJournal),
    /** Runs work until about `until` by performance.now(), but at least one piece. Returns how many ran. */
    run(until: number): number {
      for (let next = queue.shift(); next; next = queue.shift()) {
        next.settle = outcomeOf(next);
        done.push(next);
        if (done.length === mostCalls || performance.now() > until) break;
      }
      return done.length;
    },
    settle(): void {
      for (const { settle } of done.splice(0)) settle?.();
    },
    /** Rejects the work of a turn that was not persisted; after a transient error, only work that has waited for two seconds. */
    refuse(error: unknown, { isTransient }: { isTransient: boolean }): void {
      const waiting = [...done, ...queue];
      const isOver = ({ since }: Waiting) => performance.now() > since + patienceMs;
      // Unless the turn failed before it ran any work, work that waits is not rejected.
      const over = isTransient ? waiting.filter(isOver) : done.length > 0 ? done : queue;
      queue = waiting.filter((one) => !over.includes(one));
      done = [];
      for (const { reject } of over) reject(error);
    },
    end(error: unknown): void {
      for (const { reject } of queue.splice(0)) reject(error);
    },
  };
}

function outcomeOf({ work, resolve, reject }: Waiting): () => void {
  try {
    const result = work();
    // The promise may reject before the turn is persisted, which would be an unhandled rejection.
    if (result instanceof Promise) result.catch(() => {});
    return () => resolve(result);
  } catch (error) {
    return () => reject(error);
  }
}
