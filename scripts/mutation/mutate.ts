// `npm run mutate`: tries a sample of mutants, and fails when one survives that scripts/mutation/survivors.yaml does not explain.
import { readFileSync, writeFileSync } from 'node:fs';
import { type Flags, type Given, listFlag, readFlagsOrHelp, switchFlag, textFlag } from '../options/flags.ts';
import { readNames } from '../options/read-names.ts';
import { runTool } from '../options/run-tool.ts';
import { UsageError } from '../options/usage-error.ts';
import { type Area, areas } from './areas.ts';
import { draw } from './draw.ts';
import { type AreaFindings, documentFindings, formatFindings, isClean } from './mutation-findings.ts';
import { listMutants, tryMutants } from './stryker.ts';
import { fateOf, findSurvivors, readExplanations } from './survivors.ts';

const flags: Flags = {
  seed: textFlag('N', 'seed of the sample (default: 1)'),
  only: listFlag('AREA…', `only these: ${areas.map(({ name }) => name).join(', ')}`),
  share: textFlag('PERCENT', 'share of the places that is drawn (default: as many as take 10 minutes)'),
  document: switchFlag('write the scores and the survivors into docs/mutation.md'),
};
const page = 'docs/mutation.md';
const mark = '<!-- What follows is written by `npm run mutate -- --document`. -->';

async function mutate(args: readonly string[]): Promise<number> {
  // No environment variables: SITEPUB_ONLY is meant for another command.
  const given = readFlagsOrHelp(args, flags, { usage: 'npm run mutate -- [flags]', environment: {} });
  if (!given) return 0;
  const chosen = chooseAreas(given);
  if (given.switched('document') && chosen !== areas)
    throw new UsageError('--document writes about all areas; leave --only out');
  const seed = readNumber(given, 'seed') ?? 1;
  const percent = readNumber(given, 'share');
  const found: AreaFindings[] = [];
  for (const area of chosen)
    found.push(await tryArea(area, seed, percent === undefined ? area.share : percent / 100));
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
    fates: { killed: count('killed'), warned: count('warned'), survived: count('survived') },
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
  const names = readNames(given, 'only', { known: areas.map(({ name }) => name), noun: 'area' });
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

await runTool('mutate', mutate);
