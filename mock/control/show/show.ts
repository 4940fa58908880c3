import type { Schemas } from '../../../openapi/generated/control-types.ts';
import { isoTime, timeOf } from '../../world/time.ts';
import type { World } from '../../world/world.ts';
import type { Query } from '../controlled-mock.ts';

type Snake<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : Name;

type Plain<Name, Value> = Name extends 'at' | `${string}At` ? string : Exclude<Value, undefined>;

type Shown<Entry> = Entry extends unknown
  ? {
      [Name in keyof Entry as undefined extends Entry[Name] ? never : Snake<Name>]: Plain<Name, Entry[Name]>;
    } & {
      [Name in keyof Entry as undefined extends Entry[Name] ? Snake<Name> : never]?: Plain<Name, Entry[Name]>;
    }
  : never;

/** Writes names in snake_case and the milliseconds of "at" and "…At" as ISO 8601, and drops undefined members. */
export function show<Entry extends object>(entry: Entry): Shown<Entry> {
  const members = Object.entries(entry)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      typeof value === 'number' && /^at$|At$/.test(name) ? isoTime(value) : value,
    ]);
  return Object.fromEntries(members) as Shown<Entry>;
}

export function showClock({ clock }: Pick<World, 'clock'>): Schemas['Clock'] {
  return { mode: clock.mode, now: isoTime(timeOf(clock)) };
}

export const pageSize = 100;

export type PageRequest = Query<'listWorlds'>;

type Listed<Name extends string, Line> = Record<Name, Line[]> & { total: number; next?: number };

/** A page of a list, under the name of the list. Ids only grow, so entries added or deleted meanwhile shift no page. */
export function listOf<Name extends string, Entry extends { id: number }, Line>(
  name: Name,
  entries: Iterable<Entry>,
  { cursor, limit = pageSize, order = 'oldest' }: PageRequest,
  showLine: (entry: Entry) => Line,
): Listed<Name, Line> {
  const sign = order === 'newest' ? -1 : 1;
  const all = [...entries];
  const left = all.filter(({ id }) => cursor === undefined || sign * (id - cursor) > 0);
  left.sort((one, other) => sign * (one.id - other.id));
  const page = left.slice(0, limit);
  const next = left.length > limit && { next: page.at(-1)?.id };
  const lines = page.map((entry) => showLine(entry));
  return { [name]: lines, total: all.length, ...next } as Listed<Name, Line>;
}
