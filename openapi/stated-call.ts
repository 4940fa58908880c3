// How an operation is called, as a profile states it.
import { isObject, type Json } from './json.ts';
import type { Template } from './template.ts';

type Parameter = [name: string, template: string];

/** The value of an operation gap; its further members are pointers. */
export interface StatedCall extends Json {
  method: string;
  /** Without its query. */
  path: string;
  /** The parameters of its query and their templates: those in the path, and those of `query`. What is stated twice is here twice. */
  parameters: readonly Parameter[];
  /** The same by name. */
  query: Readonly<Record<string, string>>;
  body?: Template;
}

/** The call that a profile states as the value of an operation gap; undefined where it states none. */
export function readCall(value: unknown): StatedCall | undefined {
  if (!isObject(value) || typeof value.method !== 'string') return undefined;
  const [path = '', ...queries] = String(value.path).split('?');
  const inPath = new URLSearchParams(queries.join('?'));
  const stated = Object.entries(isObject(value.query) ? value.query : {});
  const parameters = [...inPath, ...stated.map(([name, text]): Parameter => [name, String(text)])];
  return { ...value, method: value.method, path, parameters, query: Object.fromEntries(parameters) };
}

/** The operation that does what a gap is about in its own call ("create-content"); undefined where none is stated. */
export function doneBy(value: unknown): string | undefined {
  return isObject(value) && typeof value.by === 'string' ? value.by : undefined;
}
