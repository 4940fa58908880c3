// Groups whose trials are made in threads: what floods, or counts, must not slow the clock that measures the others.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Group, Tried } from '../group.ts';

/** A trial of a group, by its ids. */
export interface Job {
  group: string;
  trial: string;
  seeds: readonly number[];
}

/** The same group; thread.ts has to know it. */
export function inThreads(group: Group): Group {
  const trials = (seeds: readonly number[]) =>
    group.trials(seeds).map((trial) => ({
      ...trial,
      run: () => runInThread({ group: group.id, trial: trial.id, seeds }),
    }));
  return { ...group, trials };
}

async function runInThread(workerData: Job): Promise<Tried> {
  const worker = new Worker(new URL('thread.ts', import.meta.url), { workerData });
  try {
    const [tried] = (await once(worker, 'message')) as [Tried];
    return tried;
  } finally {
    await worker.terminate();
  }
}
