// The path of a call with its values taken out: "/tenant/sites/101" is "/tenant/sites/{siteId}".
import { identifiedBy, isPathWord, singular, wordsOf } from './plain-words.ts';
import type { SeenValues, Source } from './seen-values.ts';

export interface PathValue {
  name: string;
  value: string;
  sources: readonly Source[];
}

export interface TemplatedPath {
  path: string;
  values: readonly PathValue[];
}

interface Surroundings {
  seen: SeenValues;
  /** The number of the call. */
  call: number;
  isSecret: (text: string) => boolean;
}

/** `path`: below the base address, percent-encoded. */
export function templatePath(path: string, surroundings: Surroundings): TemplatedPath {
  const values: PathValue[] = [];
  const names = new Set<string>();
  const segments = path.split('/').slice(1);
  const templated = segments.map((segment, index) => {
    const text = decode(segment);
    const before = lastWord(segments.slice(0, index));
    const sources = surroundings.seen.find({ value: text, stem: stemOf(before) }, surroundings.call);
    const next = segments[index + 1];
    const [value, rest] = splitVerb(text, surroundings);
    if (isFixed({ text, before, next, sources }, surroundings)) return text;
    const name = unused(nameOf(before, sources), names);
    const own =
      rest === '' ? sources : surroundings.seen.find({ value, stem: stemOf(before) }, surroundings.call);
    values.push({ name, value, sources: own });
    return `{${name}}${rest}`;
  });
  return { path: `/${templated.join('/')}`, values };
}

/** What a word says that an identifier after it is of: "site" of "sites". */
export function stemOf(word: string): string {
  return wordsOf(word).map(singular).at(-1) ?? '';
}

interface Segment {
  text: string;
  before: string;
  next: string | undefined;
  sources: readonly Source[];
}

/** Words of which the next segment is a name that people gave. */
const named = new Set(['form']);

const verbs = new Set('submit submissions submission list create new search fields'.split(' '));

function isFixed({ text, before, next, sources }: Segment, { isSecret }: Surroundings): boolean {
  if (text === '') return true;
  if (!isPathWord(text) || isSecret(text)) return false;
  if (named.has(stemOf(before)) && next !== undefined && !verbs.has(text)) return false;
  // A name such as "harbour-cafe", which an earlier answer gave as what identifies a site.
  return !sources.some(({ key }) => isIdentifier(key, stemOf(before)));
}

function isIdentifier(key: string, stem: string): boolean {
  const identified = identifiedBy(key);
  return stem !== '' && (identified === '' || identified === stem || key === stem);
}

/** "101:publish" or "101.json": a value and a word. */
function splitVerb(text: string, { isSecret }: Surroundings): [value: string, rest: string] {
  if (text.length > 128) return [text, ''];
  const [, value = text, rest = ''] = /^([\w-]*\d[\w-]*)([:.][A-Za-z][A-Za-z-]*)$/.exec(text) ?? [];
  return isPathWord(rest.slice(1)) && !isSecret(rest) ? [value, rest] : [text, ''];
}

function lastWord(segments: readonly string[]): string {
  return segments.map(decode).findLast((segment) => isPathWord(segment)) ?? '';
}

/** After the member that it came from where that is no mere identifier, or after the word before it. */
function nameOf(before: string, sources: readonly Source[]): string {
  const stem = stemOf(before);
  const [source] = sources;
  if (source && identifiedBy(source.key) === undefined && wordsOf(source.key).includes('version'))
    return 'version';
  if (named.has(stem)) return stem;
  return stem === '' ? 'id' : `${stem}Id`;
}

function unused(name: string, names: Set<string>): string {
  let [free, count] = [name, 1];
  while (names.has(free)) free = `${name}${++count}`;
  names.add(free);
  return free;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
