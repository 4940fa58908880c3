// Of what kind a value is, and values with a changed member.
import { isObject, type Json } from '../../openapi/json.ts';

export const isText = (value: unknown) => typeof value === 'string';
export const isNumber = (value: unknown) => typeof value === 'number';
export const isEmpty = (value: unknown) => value === '';
export const isNull = (value: unknown) => value === null;
export const isMissing = (value: unknown) => value === undefined;

/** Changes a member by its path, such as `data.total`. One that becomes undefined is left out. */
export function changeAt(given: unknown, path: string, change: (value: unknown) => unknown): Json {
  const [, name, rest] = /^([^.]+)\.?(.*)$/.exec(path) ?? [];
  const object = isObject(given) ? given : {};
  if (name === undefined || rest === undefined) return object;
  const changed = { ...object, [name]: rest ? changeAt(object[name], rest, change) : change(object[name]) };
  if (changed[name] === undefined) delete changed[name];
  return changed;
}
