// What the clean-up calls goes on where the run has ended; what a check has begun before that does not.
import { AsyncLocalStorage } from 'node:async_hooks';

const scope = new AsyncLocalStorage<true>();

/** Runs `work` as a part of the clean-up. */
export function asCleanUp<T>(work: () => Promise<T>): Promise<T> {
  return scope.run(true, work);
}

/** Whether the caller is a part of the clean-up. */
export function isCleaningUp(): boolean {
  return scope.getStore() === true;
}
