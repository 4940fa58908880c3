export interface TurnOptions {
  /** The turn sees all of the journal, also what other mocks have added. */
  journal?: boolean;
  /** The turn is tried again until the store has persisted it, or ends. */
  isSure?: boolean;
}

/** Does synchronous work, which may change the world. In memory that is done at once. With a store it is done in a turn: the promise is fulfilled once what the work did is persisted, and rejected where that can't be; then the work has not happened. */
export type Turn = <Result>(work: () => Result, options?: TurnOptions) => Result | Promise<Result>;

/** The turn of a world that lives in memory. */
export const turnInMemory: Turn = (work) => work();
