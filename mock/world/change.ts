/** Does synchronous work that changes the world. Where a store keeps the world, the promise is fulfilled once what the work did is kept, and rejected where that can't be: then the work has not happened. */
export type Change = <Result>(work: () => Result) => Result | Promise<Result>;

export const changeAtOnce: Change = (work) => work();
