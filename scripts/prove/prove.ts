// `npm run prove`: tries the faults of the mock, prints a summary, and compares it with matrix.json.
import { availableParallelism } from 'node:os';
import { checks } from '../../contract-tests/checks/index.ts';
import { faults } from '../../mock/faults/faults.ts';
import { type Flags, type Given, listFlag, textFlag } from '../options/flags.ts';
import { readNumber } from '../options/read-values.ts';
import { runTool } from '../options/run-tool.ts';
import { UsageError } from '../options/usage-error.ts';
import type { Kill, KillVerdict } from './kill-matrix.ts';
import { newlyWrong, readMatrix, unbrokenChecks, writeMatrix } from './matrix.ts';
import { runFaults } from './run-faults.ts';

const flags: Flags = {
  only: listFlag('ID…', 'only these faults, or those of these requirements; records nothing'),
  jobs: textFlag('N', 'faults tried at the same time (default: one more than there are cores)'),
  seed: textFlag('N', "draws the mock's world and the faults' random parts (default: 1)"),
};

const most = 1_000_000_000;

async function prove(given: Given): Promise<number> {
  const ids = chooseFaults(given.list('only'));
  const startedAt = performance.now();
  const kills = await runFaults(ids, {
    seed: readNumber(given, 'seed', most) ?? 1,
    jobs: readNumber(given, 'jobs', most) || availableParallelism() + 1,
    heard: (kill) => kill.verdict !== 'caught' && console.log(describe(kill)),
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
  if (wrong.length > 0) return 1;
  if (isWhole) writeMatrix(kills);
  return 0;
}

function chooseFaults(only: readonly string[]): string[] {
  const unknown = only.find((id) => !faults.some((fault) => fault.id === id || fault.requirement === id));
  if (unknown !== undefined)
    throw new UsageError(
      `--only: there is neither a fault nor a requirement with faults "${unknown}" (\`sitepub list faults\` shows all)`,
    );
  return faults
    .filter(({ id, requirement }) => only.length === 0 || only.includes(id) || only.includes(requirement))
    .map(({ id }) => id);
}

function describe({ fault, requirement, verdict, failed }: Kill): string {
  return `${verdict}: ${fault} breaks ${requirement}; ${failed.join(', ') || 'nothing'} failed`;
}

await runTool('prove', flags, prove);
