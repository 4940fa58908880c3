// The results of a sample for people: on the terminal, and in docs/mutation.md.
import { stringify } from 'yaml';
import type { Area } from './areas.ts';
import { type Fate, type Findings, type Survivor, survivorKinds } from './survivors.ts';

export interface AreaFindings extends Findings {
  area: Pick<Area, 'name' | 'title'>;
  seed: number;
  /** The number of all mutants. */
  all: number;
  fates: Record<Fate, number>;
  minutes: number;
}

/** Whether nothing is left to do. */
export function isClean({ survivors, stale }: Findings): boolean {
  return stale.length === 0 && survivors.every(({ explanation }) => explanation);
}

export function formatFindings(findings: AreaFindings): string {
  const { survivors, stale } = findings;
  const unexplained = survivors.filter(({ explanation }) => !explanation);
  return [
    scoreOf(findings),
    ...kindsOf(survivors).map(([kind, count]) => `  ${String(count).padStart(4)}  ${kind}`),
    ...list('survive without an explanation in scripts/mutation/survivors.yaml', entriesOf(unexplained)),
    ...list('explained, but out of date in scripts/mutation/survivors.yaml', stale),
  ].join('\n');
}

/** A section of docs/mutation.md. */
export function documentFindings(findings: AreaFindings): string {
  const groups = [...Map.groupBy(findings.survivors, ({ explanation }) => explanation)];
  const rows = groups.map(([explanation, [first, ...others]]) => {
    const { file = '', line = '' } = first ?? {};
    const mutants = [first, ...others].map((survivor) => code(survivor?.name ?? '')).join('<br>');
    const reason = explanation ? `**${explanation.kind}**: ${explanation.reason}` : 'unexplained';
    return `| ${file.split('/').slice(1).join('/')} | ${code(line)}<br>${mutants} | ${reason} |`;
  });
  return [
    `## ${findings.area.name}: ${findings.area.title}`,
    '',
    `${scoreOf(findings)}.`,
    '',
    '| survivors | why they may survive |',
    '|---|---|',
    ...kindsOf(findings.survivors).map(([kind, count]) => `| ${count} | ${kind} |`),
    '',
    '| file | line, and its mutants | why |',
    '|---|---|---|',
    ...rows,
  ].join('\n');
}

function scoreOf({ area, seed, all, fates, minutes }: AreaFindings): string {
  const { killed, warned, survived } = fates;
  const tried = killed + warned + survived;
  const percent = (count: number) => `${count} (${Math.round((100 * count) / tried)} %)`;
  return `${area.name}, seed ${seed}: of ${all} mutants, ${tried} were tried in ${minutes.toFixed(1)} minutes; ${percent(killed)} were killed, ${percent(warned)} warned of without a failure, ${percent(survived)} survived`;
}

function kindsOf(survivors: readonly Survivor[]): [string, number][] {
  const counts = Object.entries(survivorKinds).map(([kind, meaning]): [string, number] => [
    `${kind}: ${meaning}`,
    survivors.filter(({ explanation }) => explanation?.kind === kind).length,
  ]);
  return counts.filter(([, count]) => count > 0);
}

/** Entries for the file, without kind and reason. */
function entriesOf(survivors: readonly Survivor[]): string[] {
  const lines = [...Map.groupBy(survivors, ({ file, line }) => `${file}\n${line}`).values()];
  return lines.flatMap((group) => {
    const { file, line } = group[0] as Survivor;
    const mutants = [...new Set(group.map(({ name }) => name))];
    return stringify([{ file, line, mutants, kind: '', reason: '' }], { lineWidth: 0 }).trimEnd();
  });
}

function list(title: string, entries: readonly string[]): string[] {
  return entries.length === 0 ? [] : ['', `${entries.length} ${title}:`, ...entries];
}

/** Code in a cell of a table. */
function code(text: string): string {
  const fence = text.includes('`') ? '``' : '`';
  return `${fence} ${text.replaceAll('|', '\\|')} ${fence}`;
}
