import { checkSafe, type Ids, isIdName } from '../webhooks/identifiers.ts';

/** Writes identifiers that are bigints, or texts of digits with ids 'string', as integers. Throws UnsafeInteger. */
export function writeBody(value: unknown, ids: Ids, name = ''): string | undefined {
  if (typeof value === 'bigint') return String(value);
  if (ids === 'string' && typeof value === 'string' && isIdName(name) && isInteger.test(value)) return value;
  if (typeof value !== 'object' || value === null) return JSON.stringify(checkSafe(value, name, ids));
  if (hasOwnForm(value)) return writeBody(value.toJSON(name), ids, name);
  if (Array.isArray(value)) return `[${value.map((item) => writeBody(item, ids, name) ?? 'null').join()}]`;
  const members = Object.entries(value).flatMap(([key, part]) => {
    const text = writeBody(part, ids, key);
    return text === undefined ? [] : [`${JSON.stringify(key)}:${text}`];
  });
  return `{${members.join()}}`;
}

const isInteger = /^-?(0|[1-9]\d*)$/;

function hasOwnForm(value: object): value is { toJSON(name: string): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}
