// A thread of the kill matrix: tries one fault after the other.
import { parentPort } from 'node:worker_threads';
import { faults } from '../../mock/faults/faults.ts';
import { tryFault } from './kill-matrix.ts';
import type { Job } from './run-faults.ts';

parentPort?.on('message', async ({ fault: id, seed }: Job) => {
  const fault = faults.find((one) => one.id === id);
  if (!fault) throw new Error(`there is no fault "${id}"`);
  parentPort?.postMessage(await tryFault(fault, { seed }));
});
