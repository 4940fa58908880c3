// `npm run prove`: the kill matrix, its page, and the ratchet that keeps both from getting worse.
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { checks } from '../../contract-tests/checks/index.ts';
import { faults } from '../../mock/faults/faults.ts';
import { describeFlags, type Flags, type Given, readFlags } from '../options/flags.ts';
import { UsageError } from '../options/usage-error.ts';
import type { Kill } from './kill-matrix.ts';
import { fallsBehind, type Tally, tallyOf, unbrokenChecks } from './ratchet.ts';
import { pageOf } from './render-page.ts';
import { runFaults } from './run-faults.ts';

const matrixFile = new URL('./matrix.json', import.meta.url);
const ratchetFile = new URL('./ratchet.json', import.meta.url);
const pageFile = new URL('../../docs/how-good-is-the-suite.md', import.meta.url);

const flags: Flags = {
  only: {
    kind: 'list',
    value: 'ID…',
    help: 'only these faults, or those of these requirements; records nothing',
  },
  jobs: {
    kind: 'text',
    value: 'N',
    help: 'faults tried at the same time (default: one more than there are cores)',
  },
  seed: {
    kind: 'text',
    value: 'N',
    help: "what the mock's world and the faults' random parts are drawn from (default: 1)",
  },
  help: { kind: 'switch', help: 'show this' },
};

async function prove(args: readonly string[]): Promise<number> {
  const given = readFlags(args, flags, {});
  if (given.switched('help')) {
    console.log(`npm run prove -- [flags]\n\n${describeFlags(flags)}`);
    return 0;
  }
  const ids = chooseFaults(given.list('only'));
  const startedAt = performance.now();
  const kills = await runFaults(ids, {
    seed: readNumber(given, 'seed', 1),
    jobs: readNumber(given, 'jobs', availableParallelism() + 1),
    heard: (kill) => kill.verdict !== 'caught' && console.log(describe(kill)),
  });
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  const tally = tallyOf(kills, checks);
  console.log(
    `${tally.faults} faults in ${seconds} s: ${tally.caught} caught, ${tally.misattributed} misattributed, ${tally.missed} missed`,
  );
  if (ids.length < faults.length) return tally.caught === tally.faults ? 0 : 1;
  for (const id of unbrokenChecks(kills, checks)) console.log(`no fault makes ${id} fail`);
  return record(kills, tally);
}

/** Writes what is no worse than what was recorded, and refuses what is. */
function record(kills: readonly Kill[], tally: Tally): number {
  const worse = fallsBehind(readRecord<Tally>(ratchetFile), tally);
  for (const what of worse) console.error(`worse than recorded in ratchet.json: ${what}`);
  if (worse.length > 0) return 1;
  writeFileSync(ratchetFile, `${JSON.stringify(tally, null, 2)}\n`);
  writeFileSync(matrixFile, `[\n${kills.map((kill) => JSON.stringify(kill)).join(',\n')}\n]\n`);
  writeFileSync(pageFile, pageOf(kills));
  return tally.caught === tally.faults ? 0 : 1;
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

function readNumber(given: Given, name: string, otherwise: number): number {
  const text = given.text(name);
  if (text === undefined) return otherwise;
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new UsageError(`--${name} must be a whole number from 1 up; it is "${text}"`);
  return Number(text);
}

function describe({ fault, requirement, verdict, failed }: Kill): string {
  return `${verdict}: ${fault} breaks ${requirement}; ${failed.join(', ') || 'nothing'} failed`;
}

function readRecord<T>(file: URL): T {
  return JSON.parse(readFileSync(file, 'utf8'));
}

try {
  process.exitCode = await prove(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`prove: ${error.message}`);
  process.exitCode = 2;
}
