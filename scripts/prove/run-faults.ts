// Tries faults in several threads: both sides of a thread.
import { once } from 'node:events';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { faults } from '../../mock/faults/faults.ts';
import { type Kill, tryFault } from './kill-matrix.ts';

interface Job {
  fault: string;
  seed: number;
}

interface Run {
  seed: number;
  jobs: number;
  onKill: (kill: Kill) => void;
}

/** In the order of `ids`. An error in a thread ends everything. */
export async function runFaults(ids: readonly string[], { seed, jobs, onKill }: Run): Promise<Kill[]> {
  const waiting = [...ids];
  const kills = new Map<string, Kill>();
  const work = async () => {
    const worker = new Worker(new URL(import.meta.url));
    try {
      for (let fault = waiting.shift(); fault !== undefined; fault = waiting.shift()) {
        worker.postMessage({ fault, seed } satisfies Job);
        const [kill] = (await once(worker, 'message')) as [Kill];
        kills.set(fault, kill);
        onKill(kill);
      }
    } finally {
      // Only an error of this thread leaves waiting faults.
      waiting.length = 0;
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, ids.length) }, work));
  return ids.flatMap((id) => kills.get(id) ?? []);
}

if (!isMainThread)
  parentPort?.on('message', async ({ fault: id, seed }: Job) => {
    const fault = faults.find((one) => one.id === id);
    if (fault) parentPort?.postMessage(await tryFault(fault, { seed }));
  });
