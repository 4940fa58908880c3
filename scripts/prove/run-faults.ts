// Tries faults in several threads at once.
import { Worker } from 'node:worker_threads';
import type { Kill } from './kill-matrix.ts';

export interface Job {
  fault: string;
  seed: number;
}

interface Run {
  seed: number;
  /** How many threads. */
  jobs: number;
  /** Hears of each fault as soon as it was tried. */
  heard?: (kill: Kill) => void;
}

/** What became of each fault, in their order. An error inside a thread ends it all. */
export async function runFaults(
  ids: readonly string[],
  { seed, jobs, heard = () => {} }: Run,
): Promise<Kill[]> {
  const waiting = [...ids];
  const kills = new Map<string, Kill>();
  const workers = Array.from({ length: Math.min(jobs, ids.length) }, startWorker);
  const drain = async (worker: Worker) => {
    for (let fault = waiting.shift(); fault !== undefined; fault = waiting.shift()) {
      const kill = await ask(worker, { fault, seed });
      kills.set(fault, kill);
      heard(kill);
    }
  };
  try {
    await Promise.all(workers.map(drain));
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return ids.flatMap((id) => kills.get(id) ?? []);
}

function startWorker(): Worker {
  return new Worker(new URL('./worker.ts', import.meta.url));
}

function ask(worker: Worker, job: Job): Promise<Kill> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', (kill: Kill) => {
      worker.off('error', reject);
      resolve(kill);
    });
    worker.postMessage(job);
  });
}
