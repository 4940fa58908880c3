// The scopes of calls: the calls of a check end at its time limit; the calls of the clean-up continue after the run.
import { AsyncLocalStorage } from 'node:async_hooks';
import { NotVerified } from './outcomes.ts';

const current = new AsyncLocalStorage<AbortSignal>();

/** Throws NotVerified after `ms` milliseconds. */
export async function withTimeLimit<T>(ms: number, work: () => Promise<T> | T): Promise<T> {
  const limit = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const ended = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      limit.abort();
      reject(new NotVerified(outOfTime(ms)));
    }, ms);
  });
  try {
    return await Promise.race([current.run(limit.signal, async () => work()), ended]);
  } finally {
    clearTimeout(timer);
  }
}

/** Throws NotVerified if the calling check has ended. */
export function requireTimeLeft(): void {
  if (current.getStore()?.aborted) throw new NotVerified('the check ran out of time');
}

function outOfTime(ms: number): string {
  return `the check ran out of time after ${Math.round(ms / 1_000)} s; the deployment answers too slowly`;
}

const scope = new AsyncLocalStorage<true>();

export function asCleanUp<T>(work: () => Promise<T>): Promise<T> {
  return scope.run(true, work);
}

export function isCleaningUp(): boolean {
  return scope.getStore() === true;
}
