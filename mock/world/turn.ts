export interface TurnOptions {
  /** The turn first reads the requests that other processes have added to the journal. */
  journal?: boolean;
  /** Retries the turn until the store has persisted it or has ended. */
  isSure?: boolean;
}

/** Runs synchronous work, at once in memory. With a store, the promise is fulfilled once the changes are persisted, and rejected if they were undone. */
export type Turn = <Result>(work: () => Result, options?: TurnOptions) => Result | Promise<Result>;

export const turnInMemory: Turn = (work) => work();
