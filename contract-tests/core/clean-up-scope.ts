// Marks calls of the clean-up: they continue after the run has ended, unlike calls that a check began.
import { AsyncLocalStorage } from 'node:async_hooks';

const scope = new AsyncLocalStorage<true>();

export function asCleanUp<T>(work: () => Promise<T>): Promise<T> {
  return scope.run(true, work);
}

export function isCleaningUp(): boolean {
  return scope.getStore() === true;
}
