// Reads profiles: flat YAML maps from gap id to value.
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { findContradictions } from './contradictions.ts';
import { explainMismatch } from './explain-mismatch.ts';
import type { GapValues } from './generated/gap-values.ts';
import { lazily } from './libraries.ts';
import { didYouMean, nearest } from './nearest.ts';
import { readNamedText } from './read-limited-text.ts';
import { type Finding, readYamlMap } from './read-yaml.ts';
import { findGap, type Gap, gaps, valueAt } from './registers.ts';

/** Every gap has a value: from the profile if it is in `stated`, otherwise its default. */
export interface Profile {
  name: string;
  values: GapValues;
  stated: ReadonlySet<string>;
}

/** Each problem is one line: file, line, mistake, remedy. */
export class ProfileError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** All gaps with their defaults, for an unknown deployment. */
export const noProfile = withDefaults('none', {});

/** Each profile is one object, because others cache by it. The generated file loads 20 times faster than the YAML. */
export const packagedProfiles = lazily(() => {
  const text = readFileSync(new URL('generated/profiles.json', import.meta.url), 'utf8');
  const { profiles } = JSON.parse(text) as { profiles: Record<string, Record<string, unknown>> };
  return new Map(Object.entries(profiles).map(([name, stated]) => [name, withDefaults(name, stated)]));
});

/** Takes the path of a file, or the name of a packaged profile ("default"). Throws ProfileError. */
export function loadProfile(pathOrName: string): Profile {
  const named = existsSync(pathOrName) ? undefined : packagedProfiles().get(pathOrName);
  return named ?? parseProfile(readText(pathOrName), pathOrName);
}

/** Never reads a file with that name. Throws ProfileError. */
export function loadPackagedProfile(name: string): Profile {
  const found = packagedProfiles().get(name);
  if (found) return found;
  const known = [...packagedProfiles().keys()];
  throw new ProfileError([
    `there is no packaged profile "${name}"${didYouMean(name, known)} (known: ${known.join(', ')})`,
  ]);
}

/** `source` is the file's name in messages. Throws ProfileError. */
export function parseProfile(text: string, source: string): Profile {
  const expected = 'a profile is a map of gap id to value, such as "login.token: /data/token"';
  const { values, lines, findings } = readYamlMap(text, expected);
  if (findings.length > 0) throw profileError(source, findings);
  return makeProfile(values, { name: basename(source).replace(/\.ya?ml$/, ''), source, lines });
}

interface Origin {
  name: string;
  source: string;
  lines?: ReadonlyMap<string, number>;
}

/** Takes values from elsewhere, for example a mock's health answer. Throws ProfileError. */
export function makeProfile(stated: Readonly<Record<string, unknown>>, origin: Origin): Profile {
  if (isPackaged(origin, stated)) return withDefaults(origin.name, stated);
  const lineOf = (...ids: readonly string[]) => Math.max(1, ...ids.map((id) => origin.lines?.get(id) ?? 1));
  const mismatches = Object.entries(stated).flatMap(([id, value]) =>
    explainValue(id, value).map((text) => ({ line: lineOf(id), text })),
  );
  if (mismatches.length > 0) throw profileError(origin.source, mismatches);
  const profile = withDefaults(origin.name, stated);
  const contradictions = findContradictions(profile.values).map(({ ids, text }) => ({
    line: lineOf(...ids),
    text: `${text}${explainDefaults(ids.filter((id) => !Object.hasOwn(stated, id)))}`,
  }));
  if (contradictions.length > 0) throw profileError(origin.source, contradictions);
  return profile;
}

/** Skips validation, because a test checks the packaged profiles. */
function isPackaged({ name, lines }: Origin, stated: Readonly<Record<string, unknown>>): boolean {
  const found = lines ? undefined : packagedProfiles().get(name);
  return found !== undefined && isDeepStrictEqual(statedValues(found), stated);
}

function withDefaults(name: string, stated: Readonly<Record<string, unknown>>): Profile {
  const defaults = Object.fromEntries(gaps.map((gap) => [gap.id, gap.default]));
  const values = { ...defaults, ...stated } as unknown as GapValues;
  return { name, values, stated: new Set(Object.keys(stated)) };
}

export function gapValue(profile: Profile, id: string): unknown {
  return valueAt(profile.values, id);
}

export function statedValues(profile: Profile): Record<string, unknown> {
  return Object.fromEntries([...profile.stated].map((id) => [id, gapValue(profile, id)]));
}

function explainValue(id: string, value: unknown): string[] {
  const gap = findGap(id);
  if (gap) return isDeepStrictEqual(value, gap.default) ? [] : explainMismatch(gap, value);
  const inside = findNestedGap(id, value);
  if (inside) return [`"${id}" is not a gap; a profile is flat: write "${inside.id}: …" on a separate line`];
  const known = gaps.map((candidate) => candidate.id);
  return [`unknown gap "${id}"${didYouMean(id, known)} (\`sitepub list gaps\` shows all)`];
}

/** Returns the gap that a nested map probably means. */
function findNestedGap(id: string, value: unknown): Gap | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const [name] = Object.keys(value);
  const inside = gaps.filter((gap) => gap.id.startsWith(`${id}.`));
  return inside.find((gap) => `${gap.id}.`.startsWith(`${id}.${name}.`)) ?? inside[0];
}

/** Shows the defaults of a contradiction, because they are not in the file. */
function explainDefaults(ids: readonly string[]): string {
  return ids
    .map((id) => ` (${id} is not stated; its default is ${JSON.stringify(findGap(id)?.default)})`)
    .join('');
}

function profileError(source: string, findings: readonly Finding[]): ProfileError {
  return new ProfileError(findings.map(({ line, text }) => `${source}:${line}: ${text}`));
}

const largestProfileBytes = 1_000_000;

function readText(file: string): string {
  return readNamedText(file, largestProfileBytes, (reason, advice = whatToName(file)) => {
    return new ProfileError([`profile ${file} can't be read (${reason}); ${advice}`]);
  });
}

function whatToName(file: string): string {
  const known = [...packagedProfiles().keys()];
  const guess = nearest(basename(file).replace(/\.ya?ml$/, ''), known);
  const give = guess === undefined ? 'give' : `did you mean "${guess}"? Give`;
  return `${give} the path of a YAML file, or the name of a profile that comes with sitepub (${known.join(', ')})`;
}
