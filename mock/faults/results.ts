// What a handler returns, at once or after a while. Where a store keeps the world, what goes on at once is kept together with it.
import type { Values } from '../service.ts';
import type { Turn } from '../world/turn.ts';

export type Result = Values | Promise<Values>;

/** Goes on with a result, which `work` may replace. */
export function goOnWith(result: Result, change: Turn, work: (values: Values) => Values): Result {
  return result instanceof Promise ? result.then((values) => change(() => work(values))) : work(result);
}

/** Does something else where a handler fails. */
export function recoverFrom(
  attempt: () => Result,
  change: Turn,
  recover: (error: unknown) => Values,
): Result {
  try {
    const result = attempt();
    return result instanceof Promise ? result.catch((error) => change(() => recover(error))) : result;
  } catch (error) {
    return recover(error);
  }
}
