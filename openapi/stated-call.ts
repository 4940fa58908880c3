import { isObject, type Json } from './json.ts';
import type { Template } from './template.ts';

type Parameter = [name: string, template: string];

/** The value of an operation gap; its additional members are pointers. */
export interface StatedCall extends Json {
  method: string;
  /** Excludes the query. */
  path: string;
  /** The query of the path, then `query`; a parameter in both is here twice. */
  parameters: readonly Parameter[];
  query: Readonly<Record<string, string>>;
  body?: Template;
}

export function readCall(value: unknown): StatedCall | undefined {
  if (!isObject(value) || typeof value.method !== 'string') return undefined;
  const [path = '', ...queries] = String(value.path).split('?');
  const inPath = new URLSearchParams(queries.join('?'));
  const stated = Object.entries(isObject(value.query) ? value.query : {});
  const parameters = [...inPath, ...stated.map(([name, text]): Parameter => [name, String(text)])];
  return { ...value, method: value.method, path, parameters, query: Object.fromEntries(parameters) };
}

/** Names the operation whose call also performs this one, for example "create-content". */
export function doneBy(value: unknown): string | undefined {
  return isObject(value) && typeof value.by === 'string' ? value.by : undefined;
}
