/** Must not throw. */
export type Done = (failure?: unknown) => void;

/** Calls back once, with the error if it failed: a promise for each push would cost more than the push. */
export type Rest = (done: Done) => void;

export function promiseOf(rest: Rest): Promise<void> {
  return new Promise((resolve, reject) =>
    rest((failure) => (failure === undefined ? resolve() : reject(failure))),
  );
}

export function createWork(report: (failure: unknown) => void) {
  let underWay = 0;
  let whenIdle: (() => void)[] = [];

  function end(failure?: unknown): void {
    if (failure !== undefined) report(failure);
    if (--underWay > 0) return;
    const waiting = whenIdle;
    whenIdle = [];
    for (const goOn of waiting) goOn();
  }

  return {
    isIdle: () => underWay === 0,
    start(rests: readonly Rest[]): void {
      underWay += rests.length;
      for (const rest of rests) rest(end);
    },
    async track<Result>(work: Promise<Result>): Promise<Result> {
      underWay++;
      try {
        return await work;
      } finally {
        end();
      }
    },
    idle: () => new Promise<void>((resolve) => (underWay === 0 ? resolve() : whenIdle.push(resolve))),
  };
}

/** Runs one piece of work at a time in order of the calls, whether the earlier ones failed or not. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}
