// What of a recording may be shown: names made of the words in operations.yaml, and a few values. All else is left out, whatever it is.
import { isObject, type Json } from '../../../openapi/json.ts';
import type { Field } from '../described-operation.ts';
import { createFieldReader, most } from '../fields.ts';
import { identifiedBy, isNameOf, splitWords, table, unknownWords } from '../words.ts';

/** A longer name could be a sentence that somebody typed. */
const longest = { words: 4, letters: 40 };

/** Letters, with one sign between words. */
const plainName = /^(?:[A-Za-z]+(?:[-_.:][A-Za-z]+)*\d?|\p{Script=Han}+)$/u;

/** Whether a name or a part of a path may be shown: each of its words is in operations.yaml. */
export function isShownName(name: string): boolean {
  if (table.signs.includes(name)) return true;
  if (name.length > longest.letters || !plainName.test(name)) return false;
  const words = splitWords(name).split(' ');
  if (words.length > longest.words || words.some((word) => /^[a-z]$/.test(word))) return false;
  const isValue = (one: string) => Object.keys(table.fields).some((value) => isNameOf(value, one));
  const isKnown = (one: string) =>
    isValue(one) || table.parts.includes(splitWords(one)) || identifiedBy(one) !== undefined;
  return isKnown(name) || unknownWords(name).every(isKnown);
}

/** Whether a value may be shown. `name`: that of what holds it, such as "siteName", which people type. */
export function isShownValue(value: unknown, name = ''): boolean {
  const last = splitWords(name).split(' ').at(-1) ?? '';
  const isTyped = table.typed.some((one) => isNameOf(one, name) || isNameOf(one, last));
  return typeof value === 'boolean' || (table.values.some((one) => one === value) && !isTyped);
}

/** What stands for the members of an object that are not shown. */
export const hiddenName = '…';

/** The fields of values, the root first. A value that is shown is the only one that its field may have. `isShown`: which values are. */
export function fieldsOfValues(values: readonly unknown[], isShown = isShownValue): Field[] {
  const some = (all: readonly unknown[]) => all.slice(0, most.values);
  const schemaOf = (value: unknown, name = '', depth = 0): Json => {
    if (depth > most.depth) return {};
    if (Array.isArray(value))
      return { type: 'array', items: { anyOf: some(value).map((item) => schemaOf(item, name, depth + 1)) } };
    if (isObject(value)) {
      const members = Object.entries(value).map(([one, part]) =>
        isShownName(one) ? [one, schemaOf(part, one, depth + 1)] : [hiddenName, {}],
      );
      return { type: 'object', properties: Object.fromEntries(members) };
    }
    const isInteger = typeof value === 'bigint' || Number.isInteger(value);
    const type = value === null ? 'null' : isInteger ? 'integer' : typeof value;
    return { type, ...(isShown(value, name) && { const: value }) };
  };
  const follow = (node: unknown) => (isObject(node) ? node : undefined);
  const anyOf = some(values).map((one) => schemaOf(one));
  return createFieldReader(follow, 'values')({ anyOf }, 'readOnly') ?? [];
}
