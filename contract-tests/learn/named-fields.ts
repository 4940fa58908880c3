// Finds fields of a request or an answer by their names.
import { parsePointer } from '../../openapi/json-pointer.ts';
import type { Field } from './described-operation.ts';
import { identifiedBy, joinWords, namesOf, splitWords, table, thingIn } from './words.ts';

export interface Place {
  fields: readonly Field[];
  start: string;
  /** The resource that the object represents. */
  of: string;
}

/** Fields named like a value ("page_size", "title"), likeliest first. */
export function findNamed(place: Place, value: string, fits = isScalar): Field[] {
  const names = namesOf(value);
  return nearest(place, fits, (name) => names.indexOf(joinWords(name)));
}

/** Fields that identify a resource, likeliest first. `isOwn`: "id" without a resource name counts. */
export function findIdentifiers(place: Place, thing: string, isOwn: boolean): Field[] {
  const kinds: readonly string[] = isOwn ? [thing, 'any'] : [thing];
  return nearest(place, isScalar, (name) => kinds.indexOf(identifiedBy(name) ?? 'nothing'));
}

function isScalar({ types }: Field): boolean {
  return types.length === 0 || types.some((type) => ['string', 'integer', 'number'].includes(type));
}

/** Matching fields on the nearest level, not within other resources. A negative rank means no match. */
function nearest(place: Place, fits: (field: Field) => boolean, rankOf: (name: string) => number): Field[] {
  const { fields, start, of } = place;
  const ranked = fields.flatMap((field) => {
    if (!field.pointer.startsWith(`${start}/`) || !fits(field)) return [];
    const path = parsePointer(field.pointer.slice(start.length));
    const isPart = (name: string) => table.parts.includes(splitWords(name)) || thingIn(name) === of;
    const isOwn = path.slice(0, -1).every(isPart);
    const rank = isOwn ? rankOf(path.at(-1) ?? '') : -1;
    return rank < 0 ? [] : [{ field, level: path.length, rank }];
  });
  const level = Math.min(...ranked.map((one) => one.level));
  const found = ranked.filter((one) => one.level === level).sort((one, other) => one.rank - other.rank);
  return found.map(({ field }) => field);
}
