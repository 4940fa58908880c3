// Reads operations.yaml, and finds its words in names and sentences.
import { readFileSync } from 'node:fs';
import { yaml } from '../../openapi/libraries.ts';
import { type Gap, gaps } from '../../openapi/registers.ts';

type Words = readonly string[];

/** A row of operations.yaml; "title|text" means either. */
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

function remembering<Value>(read: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    if (!known.has(text)) known.set(text, read(text));
    return known.get(text) as Value;
  };
}

/** "/apiKeys/{key_id}" becomes "api keys key id". */
export const splitWords = remembering((text) => {
  const spaced = text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2');
  const words = spaced.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ');
  return words.trim();
});

/** Makes "siteId", "site_id" and "siteid" equal. */
export const joinWords = remembering((name) => splitWords(name).replaceAll(' ', ''));

/** Matches inflected forms: "published" for "publish", "hooks_logs" for "hook log". */
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

/** Returns the names of the lists that have a word of the text, in their order. `except`: ignored words. */
function finderOf(lists: Lists, except: Words = []): (text: string) => Words {
  const patterns = Object.entries(lists).map(
    ([name, words]) => [name, patternOf(words.filter((one) => !except.includes(one)))] as const,
  );
  return remembering((text) =>
    patterns.filter(([, pattern]) => splitWords(text).search(pattern) >= 0).map(([name]) => name),
  );
}

/** Most specific first. */
export const resourcesIn = finderOf(table.resources);
/** Only by unambiguous words. */
export const strongResourcesIn = finderOf(table.resources, table.weak);
export const verbsIn = finderOf(table.verbs);

const others = patternOf(table.others);

/** Words that make a call doubtful. */
export const othersIn = remembering((text): Words => splitWords(text).match(others) ?? []);

const named = [...Object.values(table.resources), ...Object.values(table.verbs)];
const anyNamed = patternOf(named.flat());

function strangersTo(lists: readonly Words[]): (text: string) => Words {
  const patterns = lists.map(patternOf);
  return remembering((text) => {
    const rest = patterns.reduce((left, pattern) => left.replace(pattern, ' '), splitWords(text));
    return rest.split(' ').filter(Boolean);
  });
}

export const unknownWords = strangersTo([...named, table.neutral, table.others, table.containers]);
const otherThings = strangersTo([...named, table.neutral, table.others]);

/** Also counts words such as "settings" after the resource, where they name another thing. */
export function strangersIn(text: string): string[] {
  const words = splitWords(text);
  const [before = ''] = words.split(anyNamed, 1);
  return [...unknownWords(before), ...otherThings(words.slice(before.length))];
}

const fillers = patternOf(table.fillers);

/** For names and sentences; ignores fillers and numbers. */
export function strangersSaid(text: string): string[] {
  const words = strangersIn(text).flatMap((word) => word.replace(fillers, ' ').split(' '));
  return words.filter((word) => /\D/.test(word));
}

/** The first named resource; "publish" without one means a publication. */
export const subjectIn = (text: string) =>
  resourcesIn(text)[0] ?? (verbsIn(text).includes('publish') ? 'publication' : undefined);

/** The resource of a name without other words. */
export const thingIn = remembering((name): string | undefined => {
  if (othersIn(name).length > 0 || unknownWords(name).length > 0) return undefined;
  return subjectIn(name);
});

/** The resource that a name such as "siteId" identifies; "any" for "id"; undefined for other names. */
export const identifiedBy = remembering((name): string | undefined => {
  const [, thing] = /^(.*?) ?(?:id|uuid|uid|guid|pk|identifier|bianhao|编号)$/.exec(splitWords(name)) ?? [];
  return thing === '' ? 'any' : thingIn(thing ?? '');
});

/** Possible names of a value, likeliest first, as `joinWords` writes them. */
export const namesOf = remembering((value) => (table.fields[value] ?? [value]).map(joinWords));

/** For example, "created_at" is a name of the value `at`. */
export function isNameOf(value: string, name: string): boolean {
  return namesOf(value).includes(joinWords(name));
}
