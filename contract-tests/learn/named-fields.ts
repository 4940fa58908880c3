// Finds the fields of a request or an answer that have a value, by their names.
import { parsePointer } from '../../openapi/json-pointer.ts';
import type { Field } from './described-operation.ts';
import { identifiedBy, isPart, joinWords, namesOf, type Resource, splitWords, thingIn } from './words.ts';

/** Where fields are looked for: in an object, at a pointer. */
export interface Place {
  fields: readonly Field[];
  start: string;
  /** What the object is. */
  of: Resource;
}

/** The fields that have a name of a value ("page_size", "title"), the likeliest first. */
export function findNamed(place: Place, value: string, fits = isScalar): Field[] {
  const names = namesOf(value);
  const rankOf = (name: string) => {
    // "articleTitle" of an article is its title.
    const rest = splitWords(name)
      .split(' ')
      .filter((word) => thingIn(word) !== place.of);
    return [joinWords(name), rest.join('')].map((one) => names.indexOf(one)).find((rank) => rank >= 0);
  };
  // "event/name" is the name of an event.
  return nearest(place, { fits, rankOf, lengths: [1, 2] });
}

/** The fields that identify a thing, the likeliest first. `isOwn`: a name may be "id" alone. */
export function findIdentifiers(place: Place, thing: Resource, isOwn: boolean): Field[] {
  const rankOf = (name: string) => {
    const kind = identifiedBy(name);
    return kind === thing ? 0 : kind === 'any' && isOwn ? 1 : undefined;
  };
  return nearest(place, { fits: isScalar, rankOf, lengths: [1] });
}

function isScalar({ types }: Field): boolean {
  return types.length === 0 || types.some((type) => ['string', 'integer', 'number'].includes(type));
}

interface Search {
  fits(field: Field): boolean;
  rankOf(name: string): number | undefined;
  /** How many parts of a pointer may be the name. */
  lengths: readonly number[];
}

/** The fields of the object itself, and of no other in it, on the nearest level that has any. */
function nearest({ fields, start, of }: Place, { fits, rankOf, lengths }: Search): Field[] {
  const isOwn = (name: string) => isPart(name) || thingIn(name) === of;
  const ranked = fields.flatMap((field) => {
    if (!field.pointer.startsWith(`${start}/`) || !fits(field)) return [];
    const path = parsePointer(field.pointer.slice(start.length));
    const own = lengths.filter((length) => path.slice(0, -length).every(isOwn));
    const ranks = own.flatMap((length) => rankOf(path.slice(-length).join(' ')) ?? []);
    return ranks.length === 0 ? [] : [{ field, level: path.length, rank: Math.min(...ranks) }];
  });
  const level = Math.min(...ranked.map((one) => one.level));
  const found = ranked.filter((one) => one.level === level).sort((one, other) => one.rank - other.rank);
  return found.map(({ field }) => field);
}
