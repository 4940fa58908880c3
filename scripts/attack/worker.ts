// The thread of one attack.
import { parentPort, workerData } from 'node:worker_threads';
import type { Job, Which } from './attack-in-thread.ts';
import { generatedFrom } from './deployments/generated.ts';
import { deployments } from './deployments/index.ts';
import type { Deployment } from './deployments/serve.ts';
import { attack } from './run-command.ts';

const { which, attempt }: Job = workerData;
parentPort?.postMessage(await attack(find(which), attempt));

function find(wanted: Which): Deployment {
  if ('seed' in wanted) return generatedFrom(wanted.seed);
  const found = deployments.find(({ id }) => id === wanted.id);
  if (!found) throw new Error(`there is no deployment ${wanted.id}`);
  return found;
}
