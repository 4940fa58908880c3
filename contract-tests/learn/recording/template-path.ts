// The path of a call with its values taken out: "/tenant/sites/101" is "/tenant/sites/{siteId}".
import { identifiedBy, isPathWord, singular, wordsOf } from './plain-words.ts';
import type { SeenValues, Source } from './seen-values.ts';

interface PathValue {
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
  /** Whether a text is a name that people gave to something, as bodies of the recording show. */
  isGiven: (text: string) => boolean;
}

/** `path`: below the base address, percent-encoded. */
export function templatePath(path: string, surroundings: Surroundings): TemplatedPath {
  const values: PathValue[] = [];
  const names = new Set<string>();
  const segments = path.split('/').slice(1);
  let before = '';
  const templated = segments.map((segment, index) => {
    const text = decodeSegment(segment);
    const sources = findIn(text, before, surroundings);
    const next = segments[index + 1];
    if (isFixed({ text, before, next, sources }, surroundings)) {
      if (isPathWord(text)) before = text;
      return text;
    }
    const [start, value, rest] = sources.length > 0 ? ['', text, ''] : splitWords(text, surroundings);
    const own = value === text ? sources : findIn(value, before, surroundings);
    const name = unused(nameOf(before, own), names);
    values.push({ name, value, sources: own });
    return `${start}{${name}}${rest}`;
  });
  return { path: `/${templated.join('/')}`, values };
}

function findIn(value: string, before: string, { seen, call }: Surroundings): Source[] {
  return seen.find({ value, stem: stemOf(before), isOfPath: true }, call);
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

/** Words that stand there and are no names. */
const notNames = new Set(
  'submit submissions submission entries responses answers data list create new search fields'.split(' '),
);

function isFixed({ text, before, next, sources }: Segment, { isSecret, isGiven }: Surroundings): boolean {
  if (text === '') return true;
  if (!isPathWord(text) || isSecret(text) || isGiven(text)) return false;
  if (named.has(stemOf(before)) && next !== undefined && !notNames.has(text)) return false;
  // A name such as "harbour-cafe", which an earlier answer gave as what identifies a site.
  return !sources.some(({ key }) => isIdentifier(key, stemOf(before)));
}

function isIdentifier(key: string, stem: string): boolean {
  const identified = identifiedBy(key);
  return stem !== '' && (identified === '' || identified === stem || key === stem);
}

const prefixes = new Set(['by', 'id', 'of', 'for', 'no']);

/** "101:publish", "101.json" or "by-101": a value with a word at one side. Before it only where the word says so: "hk-8" is one identifier. */
function splitWords(
  text: string,
  { isSecret, isGiven }: Surroundings,
): [start: string, value: string, rest: string] {
  if (text.length > 128) return ['', text, ''];
  const isWord = (word: string) => isPathWord(word) && !isSecret(word) && !isGiven(word);
  const [, front = '', behind = ''] = /^([A-Za-z]+[-_.=])(.+)$/s.exec(text) ?? [];
  if (prefixes.has(front.slice(0, -1))) return [front, behind, ''];
  const [, value = text, rest = ''] = /^([\w-]*\d[\w-]*)([:.][A-Za-z][A-Za-z-]*)$/.exec(text) ?? [];
  return isWord(rest.slice(1)) ? ['', value, rest] : ['', text, ''];
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

export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
