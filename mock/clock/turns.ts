/** Runs work after all that was handed in before it has ended, whether that failed or not. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function createTurns(): InTurn {
  let last: Promise<void> = Promise.resolve();
  return async (work) => {
    const earlier = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    try {
      await earlier;
      return await work();
    } finally {
      resolve();
    }
  };
}
