// The words of names and sentences, and what operations.yaml says of them.
import { readFileSync } from 'node:fs';
import { yaml } from '../../openapi/libraries.ts';

export type Resource =
  | ('ai' | 'comment' | 'content' | 'delivery' | 'form' | 'key' | 'publication' | 'site')
  | ('submission' | 'subscription');

export type Verb = 'create' | 'delete' | 'fail' | 'get' | 'import' | 'list' | 'publish' | 'update';

/** An operation that is looked for. Of "title|text", one is enough. */
export interface OperationRow {
  resource: Resource;
  verb: Verb;
  needs?: readonly string[];
  answers?: readonly string[];
  click: string;
}

type Words = readonly string[];

interface Table
  extends Readonly<Record<'containers' | 'neutral' | 'others' | 'parts' | 'pinyin' | 'weak', Words>> {
  operations: Readonly<Record<string, OperationRow>>;
  identifiers: Readonly<Record<string, Resource>>;
  holders: Readonly<Partial<Record<Resource, Words>>>;
  resources: Readonly<Record<Resource, Words>>;
  verbs: Readonly<Record<Verb, Words>>;
  fields: Readonly<Record<string, Words>>;
}

export const table: Table = yaml().parse(readFileSync(new URL('operations.yaml', import.meta.url), 'utf8'));

/** The same texts are asked for again and again. */
function remembering<Value>(read: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    if (!known.has(text)) known.set(text, read(text));
    return known.get(text) as Value;
  };
}

/** In small letters, with a space between words: "/apiKeys/{key_id}" becomes "api keys key id". */
export const splitWords = remembering((text) => {
  const spaced = text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2');
  return spaced
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
});

/** So that "siteId", "site_id" and "siteid" are the same. */
export const joinWords = remembering((name) => splitWords(name).replaceAll(' ', ''));

/** A pattern for words in any of their forms: "publish" for "published", "hook log" for "hooks_logs". */
function patternOf(words: Words): RegExp {
  const forms = words
    .toSorted((one, other) => other.length - one.length)
    .map((word) => {
      const parts = word.replaceAll(' ', ' ?(?:s )?');
      if (/\p{Script=Han}/u.test(word) || word.split(' ').every((part) => table.pinyin.includes(part)))
        return parts;
      const stem = parts.replace(/y$/, '(?:y|ie)').replace(/e$/, 'e?');
      return `(?<![a-z])${word.endsWith('!') ? parts.slice(0, -1) : `${stem}(?:s|es|d|ed|ing)?`}(?![a-z])`;
    });
  return new RegExp(forms.join('|'), 'gu');
}

/** Finds which lists have words of a text, in their order. `except`: words that don't count. */
function finderOf<Name extends string>(
  words: Readonly<Record<Name, Words>>,
  except: Words = [],
): (text: string) => readonly Name[] {
  const counting = (name: Name) => words[name].filter((one) => !except.includes(one));
  const patterns = (Object.keys(words) as Name[]).map((name) => [name, patternOf(counting(name))] as const);
  return remembering((text) =>
    patterns.filter(([, pattern]) => splitWords(text).search(pattern) >= 0).map(([name]) => name),
  );
}

/** The resources that a text names, the most specific first. */
export const resourcesIn = finderOf(table.resources);
/** The same by words that mean nothing else. */
export const strongResourcesIn = finderOf(table.resources, table.weak);
export const verbsIn = finderOf(table.verbs);

function matcherOf(words: Words): (text: string) => readonly string[] {
  const pattern = patternOf(words);
  return remembering((text) => splitWords(text).match(pattern) ?? []);
}

/** The words of a text that make a call unclear. */
export const othersIn = matcherOf(table.others);
/** The words of a text that are another thing where they stand after what a path is about. */
export const containersIn = matcherOf(table.containers);

const named = [...Object.values(table.resources), ...Object.values(table.verbs)];
const known = [...named, table.neutral, table.containers, table.others].map(patternOf);

/** The words of a text that are in no list. */
export const unknownWords = remembering((text) =>
  known
    .reduce((rest, pattern) => rest.replace(pattern, ' '), splitWords(text))
    .split(' ')
    .filter(Boolean),
);

/** The resource that a name is about, if it has no other words: that of "siteItem" is none. */
export const thingIn = remembering((name): Resource | undefined => {
  if (othersIn(name).length > 0 || unknownWords(name).length > 0) return undefined;
  return resourcesIn(name)[0] ?? (verbsIn(name).includes('publish') ? 'publication' : undefined);
});

/** What a name such as "siteId" identifies; "any" of a name such as "id". Undefined if it is no identifier. */
export const identifiedBy = remembering((name): Resource | 'any' | undefined => {
  const [, thing] = /^(.*?) ?(?:id|uuid|uid|guid|pk|identifier|bianhao|编号)$/.exec(splitWords(name)) ?? [];
  return thing === '' ? 'any' : thingIn(thing ?? '');
});

/** What a value may be called, the likeliest first, each as `joinWords` writes it. */
export const namesOf = remembering((value) => (table.fields[value] ?? [value]).map(joinWords));

/** Whether a name is that of a version, and not of another identifier. */
export function isVersionName(name: string): boolean {
  return namesOf('version').includes(joinWords(name));
}

/** Whether a name is one that values have, such as "created_at". */
export function isFieldName(name: string): boolean {
  return Object.keys(table.fields).some((value) => namesOf(value).includes(joinWords(name)));
}

/** Whether an object of this name is a part of what holds it, such as "attributes". */
export function isPart(name: string): boolean {
  return table.parts.includes(splitWords(name));
}
