// `npm run attack`: the campaign against what means harm, and the table of docs/security.md that it makes.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeFlags, type Flags, listFlag, readFlags, switchFlag, textFlag } from '../options/flags.ts';
import { readNumber } from '../options/read-number.ts';
import { UsageError } from '../options/usage-error.ts';
import { type Row, runCampaign } from './campaign.ts';
import type { Group, Trial, Tried } from './group.ts';
import { groups } from './groups.ts';
import { madeUp, tableOf, withTable } from './security-table.ts';
import { findMissing, isNamed, requireKnown } from './selection.ts';

const recordFile = new URL('./record.json', import.meta.url);
const pageFile = new URL('../../docs/security.md', import.meta.url);

const flags: Flags = {
  only: listFlag('ID…', 'only these groups or deployments; records nothing'),
  seed: textFlag('N', 'the first seed of what is made up (default: random)'),
  jobs: textFlag('N', 'trials at the same time (default: four for each core, since most only wait)'),
  help: switchFlag('show this'),
};

async function main(args: readonly string[]): Promise<number> {
  const given = readFlags(args, flags, {});
  if (given.switched('help')) {
    console.log(`npm run attack -- [flags]\n\n${describeFlags(flags)}`);
    return 0;
  }
  const first = readNumber(given, 'seed', 2 ** 31) ?? Math.floor(Math.random() * 2 ** 31);
  const seeds = Array.from({ length: madeUp }, (_, index) => first + index);
  const only = given.list('only');
  requireKnown(only, groups, seeds);
  const isWanted = (group: Group) => group.trials(seeds).some((trial) => isNamed(only, trial, group));
  const missing = findMissing(groups, isWanted);
  for (const line of missing.values()) console.log(line);
  const isTried = (trial: Trial, group: Group) =>
    only.length > 0 ? isNamed(only, trial, group) : (group.isDrawn?.(trial, seeds) ?? true);
  const startedAt = performance.now();
  const rows = await runCampaign(groups, {
    seeds,
    jobs: readNumber(given, 'jobs', 100) ?? availableParallelism() * 4,
    isWanted: (trial, group) => !missing.has(group) && isTried(trial, group),
    heard: printBroken,
  });
  console.log(`${tableOf(rows)}\n\nseed ${first}, ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  if (only.length > 0) return codeOf(rows);
  return missing.size > 0 ? 1 : record(rows);
}

function printBroken({ id, broken }: Tried, group: Group): void {
  if (broken.length > 0) console.log(`${group.id}: ${id} ${broken.join('; ')}`);
}

/** Only what holds is recorded. */
function record(rows: readonly Row[]): number {
  if (codeOf(rows) !== 0) return 1;
  writeFileSync(recordFile, `${JSON.stringify(rows, null, 2)}\n`);
  writeFileSync(pageFile, withTable(readFileSync(pageFile, 'utf8'), rows));
  return 0;
}

function codeOf(rows: readonly Row[]): number {
  return rows.some(({ tried, held }) => held < tried) || rows.every(({ tried }) => tried === 0) ? 1 : 0;
}

/** Keeps what Node compiles of the commands: a third of the time of most trials. */
async function withCompileCache(work: () => Promise<number>): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-attack-compiled-'));
  process.env.NODE_COMPILE_CACHE = folder;
  try {
    return await work();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

try {
  process.exitCode = await withCompileCache(() => main(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`attack: ${error.message}`);
  process.exitCode = 2;
}
