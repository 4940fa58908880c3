// `npm run prove`: tries the faults of the mock, prints a summary, and compares it with matrix.json.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { checks } from '../../contract-tests/checks/index.ts';
import { faults } from '../../mock/faults/faults.ts';
import {
  type Kill,
  type KillVerdict,
  newlyWrong,
  readMatrix,
  unbrokenChecks,
  writeMatrix,
} from './kill-matrix.ts';
import { runFaults } from './run-faults.ts';

const { values } = parseArgs({
  options: {
    // Ids of faults or requirements, separated by commas. With it, nothing is recorded.
    only: { type: 'string', multiple: true, default: [] },
    // Faults that are tried at the same time.
    jobs: { type: 'string' },
    // Seed of the world and of random parts of faults.
    seed: { type: 'string', default: '1' },
  },
});

const only = values.only.flatMap((list) => list.split(','));
const unknown = only.find((id) => !faults.some((fault) => [fault.id, fault.requirement].includes(id)));
if (unknown !== undefined)
  throw new Error(`there is neither a fault nor a requirement with faults "${unknown}"`);

const ids = faults
  .filter(({ id, requirement }) => only.length === 0 || only.includes(id) || only.includes(requirement))
  .map(({ id }) => id);
const startedAt = performance.now();
const kills = await runFaults(ids, {
  seed: Number(values.seed),
  jobs: Math.max(1, Number(values.jobs) || availableParallelism() + 1),
  onKill: (kill) => kill.verdict !== 'caught' && console.log(describe(kill)),
});
const count = (verdict: KillVerdict) => kills.filter((kill) => kill.verdict === verdict).length;
const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
console.log(
  `${kills.length} faults in ${seconds} s: ${count('caught')} caught, ${count('misattributed')} misattributed, ${count('missed')} missed`,
);
const isWhole = ids.length === faults.length;
if (isWhole) for (const id of unbrokenChecks(kills, checks)) console.log(`no fault makes ${id} fail`);
const wrong = newlyWrong(kills, readMatrix());
for (const kill of wrong) console.error(`worse than in matrix.json: ${describe(kill)}`);
if (wrong.length > 0) process.exitCode = 1;
else if (isWhole) writeMatrix(kills);

function describe({ fault, requirement, verdict, failed }: Kill): string {
  return `${verdict}: ${fault} breaks ${requirement}; ${failed.join(', ') || 'nothing'} failed`;
}
