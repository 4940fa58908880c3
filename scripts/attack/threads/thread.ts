// The thread of one trial.
import { parentPort, workerData } from 'node:worker_threads';
import { pushes } from '../pushes/index.ts';
import { redaction } from '../redaction.ts';
import { pages } from '../web-pages.ts';
import type { Job } from './in-threads.ts';

const { group: id, trial: name, seeds }: Job = workerData;
const group = [pages, pushes, redaction].find((one) => one.id === id);
const trial = group?.trials(seeds).find((one) => one.id === name);
if (!trial) throw new Error(`there is no trial ${name} in a group ${id}`);
parentPort?.postMessage(await trial.run());
