// The survivors, and why each may survive, as scripts/mutation/survivors.yaml explains.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { type Mutant, warnedOnly } from './mutant.ts';
import { firstLineAt, oneLine, textAt } from './source.ts';

export const survivorKinds = {
  gap: 'the document leaves it open',
  same: 'nobody can see a difference',
  own: 'our own decision (wording, logs, memory, the control API), on which the document is silent',
  elsewhere: 'no unit test detects it, but runs of the whole suite do',
  open: 'an unchecked promise, or untested code of ours',
} as const;

/** Why the survivors on one line of code may survive; they are recognised by their text. */
export interface Explanation {
  file: string;
  /** The line on which they begin. */
  line: string;
  /** Names of mutants, as from `nameOf`. */
  mutants: string[];
  kind: keyof typeof survivorKinds;
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
  /** Explanations of mutants that are detected now, or no longer exist. */
  stale: string[];
}

interface Sample {
  /** All mutants of an area. */
  all: readonly Mutant[];
  /** Those that were tried, with their results. */
  tried: readonly Mutant[];
  explanations: readonly Explanation[];
  sourceOf(fileName: string): string;
}

export function readExplanations(): Explanation[] {
  const text = readFileSync(new URL('survivors.yaml', import.meta.url), 'utf8');
  return parse(text) as Explanation[];
}

export type Fate = 'killed' | 'warned' | 'survived';

/** A mutant whose module does not load, or whose test never ends, counts as killed. */
export function fateOf({ status, statusReason }: Mutant): Fate {
  if (status === 'Survived' || status === 'NoCoverage') return 'survived';
  return statusReason?.startsWith(warnedOnly) ? 'warned' : 'killed';
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
  const detected = new Set(tried.map((mutant) => keyOf(identify(mutant)))).difference(surviving);
  const known = new Set(all.map((mutant) => keyOf(identify(mutant))));
  const files = new Set(all.map(({ fileName }) => fileName));
  const stale = [...explained]
    .filter(([key, { file }]) => files.has(file) && (detected.has(key) || !known.has(key)))
    .map(
      ([key]) =>
        `${key.replaceAll('\n', ': ')}: ${detected.has(key) ? 'is detected now' : 'is no mutant any more'}`,
    );
  return { survivors, stale };
}

function identityOf(mutant: Mutant, source: string): Omit<Survivor, 'explanation'> {
  const { fileName, location } = mutant;
  const name = mutantNameOf(textAt(source, location), mutant.replacement ?? '');
  return { file: fileName, line: firstLineAt(source, location), name };
}

/** The code of a mutant and its replacement, shortened. */
export function mutantNameOf(code: string, replacement: string): string {
  return `${short(code)} → ${short(replacement)}`;
}

function short(code: string): string {
  const text = oneLine(code);
  return text.length > 70 ? `${text.slice(0, 50)} … ${text.slice(-15)}` : text;
}

function keyOf({ file, line, name }: Omit<Survivor, 'explanation'>): string {
  return [file, line, name].join('\n');
}
