// Finds the field that bears one of several names.
import { parsePointer } from '../../openapi/json-pointer.ts';
import type { Field } from './described-operation.ts';
import { resources } from './vocabulary.ts';
import { wordsOf } from './words.ts';

export interface Named {
  field: Field;
  /** 0 for the likeliest name. */
  rank: number;
}

/** The fields that bear one of the names, the best first. */
export function findNamed(fields: readonly Field[], names: readonly string[]): Named[] {
  const plain = names.map(joined);
  return fields
    .flatMap((field): Named[] => {
      const rank = rankOf(field.pointer, plain);
      return rank === undefined ? [] : [{ field, rank: rank + field.pointer.length / 10_000 }];
    })
    .sort((one, other) => one.rank - other.rank);
}

/** By the last segment, by the last two, or by the last without what it is about: "article_title". */
function rankOf(pointer: string, names: readonly string[]): number | undefined {
  const segments = parsePointer(pointer);
  const [before = '', last = ''] = ['', ...segments].slice(-2);
  const ranks = [
    [joined(last), 0],
    [joined(before + last), 0],
    [withoutResource(last), 0.5],
  ] as const;
  const found = ranks.flatMap(([name, more]) => {
    const index = name === '' ? -1 : names.indexOf(name);
    return index < 0 ? [] : [index + more];
  });
  return found.length === 0 ? undefined : Math.min(...found);
}

function joined(name: string): string {
  return name
    .slice(0, 200)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

function withoutResource(name: string): string {
  const words = wordsOf(name).filter(({ concept }) => !resources.some((one) => one === concept));
  return words.map(({ text }) => text).join('');
}
