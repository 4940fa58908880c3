// Decides which parts of a recording may be shown: names made of words in operations.yaml, and a few values.
import { isObject, type Json } from '../../../openapi/json.ts';
import type { Field } from '../described-operation.ts';
import { createFieldReader, most } from '../fields.ts';
import { identifiedBy, isNameOf, splitWords, table, unknownWords } from '../words.ts';

/** A longer name may be a typed sentence. */
const longest = { words: 4, letters: 40 };

const plainName = /^(?:[A-Za-z]+(?:[-_.:][A-Za-z]+)*\d?|\p{Script=Han}+)$/u;

/** True if operations.yaml contains each word of the name. */
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

/** `name`: name of the member; values of "siteName" are typed by people and hidden. */
export function isShownValue(value: unknown, name = ''): boolean {
  const last = splitWords(name).split(' ').at(-1) ?? '';
  const isTyped = table.typed.some((one) => isNameOf(one, name) || isNameOf(one, last));
  return typeof value === 'boolean' || (table.values.some((one) => one === value) && !isTyped);
}

/** Replaces the names of hidden members. */
export const hiddenName = '…';

/** Fields of the values, the root first. A shown value becomes the only allowed value of its field. */
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
