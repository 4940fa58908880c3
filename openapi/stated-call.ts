// How an operation is called, as a profile states it.
import { isObject, type Json } from './json.ts';
import type { Template } from './template.ts';

type Parameter = [name: string, template: string];

/** The value of an operation gap; its further members are pointers. */
export interface StatedCall extends Json {
  method: string;
  /** Without its query. */
  path: string;
  /** The parameters of its query and their templates: those in the path, and those of `query`. */
  parameters: readonly Parameter[];
  /** The same by name. */
  query: Readonly<Record<string, string>>;
  body?: Template;
}

/** The call that a profile states as the value of an operation gap; undefined where it states none. */
export function readCall(value: unknown): StatedCall | undefined {
  if (!isObject(value) || typeof value.method !== 'string') return undefined;
  const { path } = splitPath(String(value.path));
  const parameters = queryOf(value);
  return { ...value, method: value.method, path, parameters, query: Object.fromEntries(parameters) };
}

/** The parameters of a query; those that are stated twice, twice. */
export function queryOf({ path, query }: Json): Parameter[] {
  const stated = isObject(query) ? Object.entries(query) : [];
  const texts = stated.map(([name, template]): Parameter => [name, String(template)]);
  return [...new URLSearchParams(splitPath(String(path)).query), ...texts];
}

/** The operation that does what a gap is about in its own call ("create-content"); undefined where none is stated. */
export function doneBy(value: unknown): string | undefined {
  return isObject(value) && typeof value.by === 'string' ? value.by : undefined;
}

/** A path and its query, without the "?". */
export function splitPath(path: string): { path: string; query: string } {
  const at = path.indexOf('?');
  return at < 0 ? { path, query: '' } : { path: path.slice(0, at), query: path.slice(at + 1) };
}
