// Which answer has shown a value first, so that a later call which sends it is known to name what that answer was about.
import { formatPointer } from '../../../openapi/json-pointer.ts';
import { identifiedBy, singular, wordsOf } from './plain-words.ts';

/** A place of an answer. */
export interface Source {
  /** The call, by its number. */
  call: number;
  /** With `*` for the items of lists. */
  pointer: string;
  /** The name of the member, or of the list that it is an item of. */
  key: string;
  /** The names above it, and the last word of the call's path. */
  around: readonly string[];
}

/** What a call sends, and what it might be an identifier of: "site", or "" where nothing says so. */
interface Sent {
  value: unknown;
  stem: string;
  /** Whether it is a part of a path: whatever an answer about the same calls it, it identifies something there. */
  isOfPath?: boolean;
}

export interface SeenValues {
  add(call: number, answer: unknown, subject: string): void;
  /** The places that fit best, of answers before a call. */
  find(sent: Sent, before: number): Source[];
}

/** More places than these, for one value and in all, and longer texts, are not remembered. */
const most = { places: 40, values: 200_000, characters: 128, depth: 12, items: 200 };

export function createSeenValues(): SeenValues {
  const places = new Map<string, Source[]>();
  const note = (value: unknown, source: Source) => {
    if (!mayIdentify(value)) return;
    const known = places.get(String(value)) ?? [];
    if (known.length >= most.places || (known.length === 0 && places.size >= most.values)) return;
    if (known.some(({ call, pointer }) => call === source.call && pointer === source.pointer)) return;
    places.set(String(value), [...known, source]);
  };
  return {
    add: (call, answer, subject) => {
      walk(answer, [], (value, path) => {
        const names = path.filter((part) => part !== '*');
        const key = names.at(-1) ?? '';
        note(value, { call, pointer: formatPointer(path), key, around: [...names.slice(0, -1), subject] });
      });
    },
    find: (sent, before) => {
      if (!mayIdentify(sent.value)) return [];
      const known = (places.get(String(sent.value)) ?? []).filter(({ call }) => call < before);
      const scored = known.map((source) => ({ source, score: scoreOf(source, sent) }));
      const best = Math.max(...scored.map(({ score }) => score), 0);
      return best === 0 ? [] : scored.filter(({ score }) => score === best).map(({ source }) => source);
    },
  };
}

function mayIdentify(value: unknown): boolean {
  if (typeof value === 'number' || typeof value === 'bigint') return Number.isInteger(Number(value));
  return (
    typeof value === 'string' && value.length > 0 && value.length <= most.characters && !/\s/.test(value)
  );
}

/** 0 where it is chance, for all anybody knows: small numbers are everywhere. */
function scoreOf({ key, around }: Source, { value, stem, isOfPath = false }: Sent): number {
  const words = wordsOf(key).map(singular);
  const identified = identifiedBy(key);
  const isAbout = stem !== '' && around.some((name) => wordsOf(name).map(singular).includes(stem));
  if (stem !== '' && (identified === stem || words.join('-') === stem)) return 5;
  if (stem !== '' && words.includes(stem)) return 4;
  if (identified === '' && isAbout) return 4;
  if (identified !== undefined && identified !== '' && stem !== '' && identified !== stem)
    return isRare(value) ? 1 : 0;
  if (isAbout && (words.includes('version') || words.includes('number'))) return 3;
  if (stem === '' && identified === '') return 2;
  if (isRare(value)) return identified === '' ? 2 : 1;
  return isOfPath && isAbout && /^[^\d].{2}/s.test(String(value)) ? 1 : 0;
}

/** Whether two places hardly have the same value by chance. */
function isRare(value: unknown): boolean {
  const text = String(value);
  return /^\d+$/.test(text) ? text.length >= 6 : text.length >= 6 && /\d/.test(text);
}

function walk(
  value: unknown,
  path: readonly string[],
  visit: (leaf: unknown, path: readonly string[]) => void,
): void {
  if (typeof value !== 'object' || value === null) return void visit(value, path);
  if (path.length >= most.depth) return;
  if (Array.isArray(value)) for (const item of value.slice(0, most.items)) walk(item, [...path, '*'], visit);
  else for (const [key, part] of Object.entries(value)) walk(part, [...path, key], visit);
}
