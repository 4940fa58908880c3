// `npm run prove`: tries the faults of the mock, prints a summary, and compares it with matrix.json.
import { availableParallelism } from 'node:os';
import { checks } from '../../contract-tests/checks/index.ts';
import { faults } from '../../mock/faults/faults.ts';
import { type Flags, type Given, listFlag, readFlagsOrHelp, textFlag } from '../options/flags.ts';
import { readNames } from '../options/read-names.ts';
import { readNumber } from '../options/read-number.ts';
import { runTool } from '../options/run-tool.ts';
import type { Kill, KillVerdict } from './kill-matrix.ts';
import { newlyWrong, readMatrix, unbrokenChecks, writeMatrix } from './matrix.ts';
import { runFaults } from './run-faults.ts';

const flags: Flags = {
  only: listFlag('ID…', 'only these faults, or those of these requirements; records nothing'),
  jobs: textFlag('N', 'faults tried at the same time (default: one more than there are cores)'),
  seed: textFlag('N', "draws the mock's world and the faults' random parts (default: 1)"),
};

const most = 1_000_000_000;

async function prove(args: readonly string[]): Promise<number> {
  const given = readFlagsOrHelp(args, flags, { usage: 'npm run prove -- [flags]', environment: {} });
  if (!given) return 0;
  const ids = chooseFaults(given);
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

/** The ids of the faults that are named, or whose requirements are. */
function chooseFaults(given: Given): string[] {
  const known = faults.flatMap(({ id, requirement }) => [id, requirement]);
  const otherwise = ' (`sitepub list faults` shows all)';
  const only = readNames(given, 'only', { known, noun: 'fault or requirement with faults', otherwise });
  return faults
    .filter(({ id, requirement }) => only.length === 0 || only.includes(id) || only.includes(requirement))
    .map(({ id }) => id);
}

function describe({ fault, requirement, verdict, failed }: Kill): string {
  return `${verdict}: ${fault} breaks ${requirement}; ${failed.join(', ') || 'nothing'} failed`;
}

await runTool('prove', prove);
