// The survivors, and why each of them may live: what scripts/mutation/survivors.yaml says.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { type Mutant, warnedOnly } from './mutant.ts';
import { firstLineAt, oneLine, textAt } from './source.ts';

export const kinds = {
  gap: 'the document leaves it open',
  same: 'nobody can see a difference',
  own: 'our own business (words, logs, memory, the control API), of which the document knows nothing',
  elsewhere: 'no unit test notices it, but runs of the whole suite do',
  open: 'a promise that is not checked, or code of ours that is not tested',
} as const;

/** Survivors on one line of code, found again by their text. */
export interface Explanation {
  file: string;
  /** The line on which they begin. */
  line: string;
  /** Each as nameOf gives it. */
  mutants: string[];
  kind: keyof typeof kinds;
  reason: string;
}

export interface Survivor {
  file: string;
  line: string;
  name: string;
  explanation: Explanation | undefined;
}

export interface Findings {
  survivors: Survivor[];
  /** What is explained, but noticed by now, or no mutant any more. */
  stale: string[];
}

export interface Sample {
  /** All mutants of an area. */
  all: readonly Mutant[];
  /** Those that were tried, and what became of them. */
  tried: readonly Mutant[];
  explanations: readonly Explanation[];
  sourceOf(fileName: string): string;
}

export function readExplanations(): Explanation[] {
  const text = readFileSync(new URL('survivors.yaml', import.meta.url), 'utf8');
  return parse(text) as Explanation[];
}

export type Fate = 'killed' | 'told' | 'survived';

/** A module that no longer loads, and a test that never ends, are noticed, too. */
export function fateOf({ status, statusReason }: Mutant): Fate {
  if (status === 'Survived' || status === 'NoCoverage') return 'survived';
  return statusReason?.startsWith(warnedOnly) ? 'told' : 'killed';
}

export function findSurvivors({ all, tried, explanations, sourceOf }: Sample): Findings {
  const explained = new Map(
    explanations.flatMap((one) => one.mutants.map((name) => [keyOf({ ...one, name }), one])),
  );
  const identify = (mutant: Mutant) => identityOf(mutant, sourceOf(mutant.fileName));
  const survivors = tried
    .filter((mutant) => fateOf(mutant) === 'survived')
    .map(identify)
    .map((survivor) => ({ ...survivor, explanation: explained.get(keyOf(survivor)) }));
  const surviving = new Set(survivors.map(keyOf));
  const noticed = new Set(tried.map((mutant) => keyOf(identify(mutant)))).difference(surviving);
  const known = new Set(all.map((mutant) => keyOf(identify(mutant))));
  const files = new Set(all.map(({ fileName }) => fileName));
  const stale = [...explained]
    .filter(([key, { file }]) => files.has(file) && (noticed.has(key) || !known.has(key)))
    .map(
      ([key]) =>
        `${key.replaceAll('\n', ': ')}: ${noticed.has(key) ? 'is noticed now' : 'is no mutant any more'}`,
    );
  return { survivors, stale };
}

function identityOf(mutant: Mutant, source: string): Omit<Survivor, 'explanation'> {
  const { fileName, location } = mutant;
  const name = nameOf(textAt(source, location), mutant.replacement ?? '');
  return { file: fileName, line: firstLineAt(source, location), name };
}

/** What a mutant makes of which code, shortened. */
export function nameOf(code: string, replacement: string): string {
  return `${short(code)} → ${short(replacement)}`;
}

function short(code: string): string {
  const text = oneLine(code);
  return text.length > 70 ? `${text.slice(0, 50)} … ${text.slice(-15)}` : text;
}

function keyOf({ file, line, name }: Omit<Survivor, 'explanation'>): string {
  return [file, line, name].join('\n');
}
