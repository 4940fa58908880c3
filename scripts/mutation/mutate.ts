// `npm run mutate`: tries a sample of mutants, and fails where one survives that scripts/mutation/survivors.yaml does not explain.
import { readFileSync, writeFileSync } from 'node:fs';
import { describeFlags, type Flags, type Given, readFlags } from '../options/flags.ts';
import { UsageError } from '../options/usage-error.ts';
import { type Area, areas } from './areas.ts';
import { draw } from './draw.ts';
import { type AreaFindings, documentFindings, formatFindings, isClean } from './mutation-findings.ts';
import { listMutants, tryMutants } from './stryker.ts';
import { fateOf, findSurvivors, readExplanations } from './survivors.ts';

const flags: Flags = {
  seed: { kind: 'text', value: 'N', help: 'what the sample is drawn from (default: 1)' },
  only: { kind: 'list', value: 'AREA…', help: `only these: ${areas.map(({ name }) => name).join(', ')}` },
  share: {
    kind: 'text',
    value: 'PERCENT',
    help: 'how many of the places are drawn (default: what takes 10 minutes)',
  },
  document: { kind: 'switch', help: 'write the scores and the survivors into docs/mutation.md' },
  help: { kind: 'switch', help: 'show this' },
};
const page = 'docs/mutation.md';
const mark = '<!-- What follows is written by `npm run mutate -- --document`. -->';

async function mutate(args: readonly string[]): Promise<number> {
  // Flags alone: SITEPUB_ONLY is meant for another command.
  const given = readFlags(args, flags, {});
  if (given.switched('help')) {
    console.log(`npm run mutate -- [flags]\n\n${describeFlags(flags)}`);
    return 0;
  }
  const chosen = chooseAreas(given);
  if (given.switched('document') && chosen !== areas)
    throw new UsageError('--document writes about all areas; leave --only out');
  const seed = readNumber(given, 'seed') ?? 1;
  const percent = readNumber(given, 'share');
  const found: AreaFindings[] = [];
  for (const area of chosen) {
    found.push(await tryArea(area, seed, percent === undefined ? area.share : percent / 100));
  }
  console.log(found.map(formatFindings).join('\n\n'));
  if (given.switched('document')) writeDocument(found);
  return found.every(isClean) ? 0 : 1;
}

async function tryArea(area: Area, seed: number, share: number): Promise<AreaFindings> {
  const startedAt = performance.now();
  const all = await listMutants(area);
  const drawn = draw(all, { seed, share, sourceOf });
  console.error(`${area.name}: ${drawn.length} of ${all.length} mutants`);
  const tried = await tryMutants(area, drawn);
  const count = (fate: string) => tried.filter((mutant) => fateOf(mutant) === fate).length;
  return {
    ...findSurvivors({ all, tried, explanations: readExplanations(), sourceOf }),
    area,
    seed,
    all: all.length,
    fates: { killed: count('killed'), told: count('told'), survived: count('survived') },
    minutes: (performance.now() - startedAt) / 60_000,
  };
}

function sourceOf(fileName: string): string {
  return readFileSync(fileName, 'utf8');
}

function writeDocument(found: readonly AreaFindings[]): void {
  const [before = ''] = readFileSync(page, 'utf8').split(mark);
  const text = [before + mark, ...found.map(documentFindings)].join('\n\n');
  writeFileSync(page, `${text}\n`);
}

function chooseAreas(given: Given): readonly Area[] {
  const names = given.list('only');
  const unknown = names.find((name) => !areas.some((area) => area.name === name));
  if (unknown !== undefined)
    throw new UsageError(
      `--only: there is no "${unknown}"; there are ${areas.map(({ name }) => name).join(', ')}`,
    );
  return names.length === 0 ? areas : areas.filter(({ name }) => names.includes(name));
}

function readNumber(given: Given, name: string): number | undefined {
  const text = given.text(name);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!Number.isFinite(number) || number <= 0)
    throw new UsageError(`--${name} takes a number above 0, not "${text}"`);
  return number;
}

try {
  process.exitCode = await mutate(process.argv.slice(2));
} catch (error) {
  const isUsage = error instanceof UsageError;
  console.error(`mutate: ${isUsage ? error.message : error instanceof Error ? error.stack : String(error)}`);
  process.exitCode = isUsage ? 2 : 4;
}
