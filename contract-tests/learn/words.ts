// The words of names and sentences, and what operations.yaml says of them.
import { readFileSync } from 'node:fs';
import { yaml } from '../../openapi/libraries.ts';

export type Resource =
  | ('ai' | 'comment' | 'content' | 'delivery' | 'form' | 'key' | 'publication' | 'site')
  | ('submission' | 'subscription');

export type Verb = 'create' | 'delete' | 'get' | 'import' | 'list' | 'publish' | 'update';

/** An operation that is looked for, as operations.yaml has it. */
interface OperationRow {
  resource: Resource;
  verb: Verb;
  needs?: readonly string[];
  answers?: readonly string[];
  click: string;
}

interface Table {
  operations: Readonly<Record<string, OperationRow>>;
  identifiers: Readonly<Record<string, Resource>>;
  resources: Readonly<Record<Resource, readonly string[]>>;
  verbs: Readonly<Record<Verb, readonly string[]>>;
  failing: readonly string[];
  pinyin: readonly string[];
  neutral: readonly string[];
  others: readonly string[];
  fields: Readonly<Record<string, readonly string[]>>;
}

export const table: Table = yaml().parse(readFileSync(new URL('operations.yaml', import.meta.url), 'utf8'));

/** In small letters, with a space between words: "/apiKeys/{key_id}" becomes "api keys key id". */
export function splitWords(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** The most specific resource that a text names. */
export function resourceIn(text: string): Resource | undefined {
  const words = splitWords(text);
  return resourcePatterns.find(([, pattern]) => pattern.test(words))?.[0];
}

export function verbsIn(text: string): Verb[] {
  const words = splitWords(text);
  return verbPatterns.filter(([, pattern]) => pattern.test(words)).map(([verb]) => verb);
}

/** Whether a text says that a publish fails. */
export function saysFailure(text: string): boolean {
  return failingPattern.test(splitWords(text));
}

/** The words of a text that make a call unclear. */
export function othersIn(text: string): string[] {
  return [...splitWords(text).matchAll(allOf(othersPattern))].map(([word]) => word);
}

/** The words of a text that are in no list. */
export function unknownWords(text: string): string[] {
  return known
    .reduce((rest, pattern) => rest.replace(pattern, ' '), splitWords(text))
    .split(' ')
    .filter((word) => word !== '');
}

/** Whether a name or a part of a path has words of the lists alone, such as "sites" or "apiKeys". */
export function isKnownWord(word: string): boolean {
  return splitWords(word) !== '' && unknownWords(word).length === 0;
}

/** Whether a name is one that values have, such as "created_at". */
export function isFieldName(name: string): boolean {
  return allFields.has(joinWords(name));
}

/** What a value may be called, the likeliest first, each as `joinWords` writes it. */
export function namesOf(value: string): readonly string[] {
  return (table.fields[value] ?? [value]).map(joinWords);
}

/** A name in small letters alone, so that "siteId", "site_id" and "siteid" are the same. */
function joinWords(name: string): string {
  return splitWords(name).replaceAll(' ', '');
}

const isHan = (word: string) => /\p{Script=Han}/u.test(word);

/** A pattern for words in any of their forms: "publish" for "published", "hook log" for "hooks_logs". */
function patternOf(words: readonly string[]): RegExp {
  const longestFirst = words.toSorted((one, other) => other.length - one.length);
  const isWithin = (word: string) => word.split(' ').every((part) => table.pinyin.includes(part));
  const forms = longestFirst.map((word) => {
    if (isHan(word)) return word;
    const parts = word.replaceAll(' ', ' ?(?:s )?');
    if (isWithin(word)) return parts;
    return `(?<![a-z])${parts.replace(/y$/, '(?:y|ie)').replace(/e$/, 'e?')}(?:s|es|d|ed|ing)?(?![a-z])`;
  });
  return new RegExp(forms.join('|'), 'u');
}

function allOf(pattern: RegExp): RegExp {
  return new RegExp(pattern.source, 'gu');
}

const patternsOf = <Name extends string>(lists: Readonly<Record<Name, readonly string[]>>) =>
  (Object.keys(lists) as Name[]).map((name) => [name, patternOf(lists[name])] as const);

const resourcePatterns = patternsOf(table.resources);
const verbPatterns = patternsOf(table.verbs);
const failingPattern = patternOf(table.failing);
const othersPattern = patternOf(table.others);
const known = [...resourcePatterns, ...verbPatterns]
  .map(([, pattern]) => pattern)
  .concat(failingPattern, othersPattern, patternOf(table.neutral))
  .map(allOf);
const allFields = new Set(Object.values(table.fields).flat().map(joinWords));
