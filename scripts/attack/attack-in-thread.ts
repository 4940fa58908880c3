// One attack in a thread of its own: a deployment that floods must not slow the clock that measures the others.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Outcome } from './broken-by.ts';
import type { Attempt } from './run-command.ts';

/** A deployment of the list, or one made up of a seed. */
export type Which = { id: string } | { seed: number };

export interface Job {
  which: Which;
  attempt: Attempt;
}

export async function attackInThread(which: Which, attempt: Attempt): Promise<Outcome> {
  const workerData: Job = { which, attempt };
  const worker = new Worker(new URL('worker.ts', import.meta.url), { workerData });
  const [outcome] = (await once(worker, 'message')) as [Outcome];
  await worker.terminate();
  return outcome;
}
