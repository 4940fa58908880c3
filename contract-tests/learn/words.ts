// What operations.yaml says: the operations that are looked for, and the words of names and sentences.
import { readFileSync } from 'node:fs';
import { yaml } from '../../openapi/libraries.ts';
import { type Gap, gaps } from '../../openapi/registers.ts';

type Words = readonly string[];

/** An operation that is looked for. Of "title|text", one is enough. */
export interface WantedOperation {
  gap: Gap;
  resource: string;
  verb: string;
  needs?: Words;
  answers?: Words;
  click: string;
}

type Lists = Readonly<Record<string, Words>>;
type WordList = 'containers' | 'fillers' | 'neutral' | 'others' | 'parts' | 'pinyin' | 'weak';
/** What of a recording may be shown. */
type ShownList = 'signs' | 'typed' | 'values';

interface Table extends Readonly<Record<WordList | ShownList, Words>> {
  operations: Readonly<Record<string, Omit<WantedOperation, 'gap'>>>;
  identifiers: Readonly<Record<string, string>>;
  holders: Lists;
  resources: Lists;
  verbs: Lists;
  fields: Lists;
}

export const table: Table = yaml().parse(readFileSync(new URL('operations.yaml', import.meta.url), 'utf8'));

export const wantedOperations: readonly WantedOperation[] = gaps.flatMap((gap) => {
  const row = table.operations[gap.id.slice('operation.'.length)];
  return gap.kind === 'operation' && row ? [{ gap, ...row }] : [];
});

export function isReading({ verb }: WantedOperation): boolean {
  return verb === 'list' || verb === 'get';
}

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
  const words = spaced.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ');
  return words.trim();
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
function finderOf(lists: Lists, except: Words = []): (text: string) => Words {
  const patterns = Object.entries(lists).map(
    ([name, words]) => [name, patternOf(words.filter((one) => !except.includes(one)))] as const,
  );
  return remembering((text) =>
    patterns.filter(([, pattern]) => splitWords(text).search(pattern) >= 0).map(([name]) => name),
  );
}

/** The resources that a text names, the most specific first. */
export const resourcesIn = finderOf(table.resources);
/** The same by words that mean nothing else. */
export const strongResourcesIn = finderOf(table.resources, table.weak);
export const verbsIn = finderOf(table.verbs);

const others = patternOf(table.others);

/** The words of a text that make a call unclear. */
export const othersIn = remembering((text): Words => splitWords(text).match(others) ?? []);

const named = [...Object.values(table.resources), ...Object.values(table.verbs)];
const anyNamed = patternOf(named.flat());

/** Finds the words of a text that none of the lists has. */
function strangersTo(lists: readonly Words[]): (text: string) => Words {
  const patterns = lists.map(patternOf);
  return remembering((text) => {
    const rest = patterns.reduce((left, pattern) => left.replace(pattern, ' '), splitWords(text));
    return rest.split(' ').filter(Boolean);
  });
}

export const unknownWords = strangersTo([...named, table.neutral, table.others, table.containers]);
const otherThings = strangersTo([...named, table.neutral, table.others]);

/** The same with words such as "settings" after what a text is about: there they are another thing. */
export function strangersIn(text: string): string[] {
  const words = splitWords(text);
  const [before = ''] = words.split(anyNamed, 1);
  return [...unknownWords(before), ...otherThings(words.slice(before.length))];
}

const fillers = patternOf(table.fillers);

/** Those of a name or a sentence, without numbers. */
export function strangersSaid(text: string): string[] {
  const words = strangersIn(text).flatMap((word) => word.replace(fillers, ' ').split(' '));
  return words.filter((word) => /\D/.test(word));
}

/** The resource that a text names first; what publishes is about a publication. */
export const subjectIn = (text: string) =>
  resourcesIn(text)[0] ?? (verbsIn(text).includes('publish') ? 'publication' : undefined);

/** The resource that a name is about, if it has no other words: that of "siteItem" is none. */
export const thingIn = remembering((name): string | undefined => {
  if (othersIn(name).length > 0 || unknownWords(name).length > 0) return undefined;
  return subjectIn(name);
});

/** What a name such as "siteId" identifies; "any" of a name such as "id". Undefined if it is no identifier. */
export const identifiedBy = remembering((name): string | undefined => {
  const [, thing] = /^(.*?) ?(?:id|uuid|uid|guid|pk|identifier|bianhao|编号)$/.exec(splitWords(name)) ?? [];
  return thing === '' ? 'any' : thingIn(thing ?? '');
});

/** What a value may be called, the likeliest first, each as `joinWords` writes it. */
export const namesOf = remembering((value) => (table.fields[value] ?? [value]).map(joinWords));

/** Whether a name is one that a value has: "created_at" is one of `at`. */
export function isNameOf(value: string, name: string): boolean {
  return namesOf(value).includes(joinWords(name));
}
