// Reads the values of an answer by name. Ids that are unsafe in a path count as missing: `..` would address the parent.
import { type Layout, readLayout } from '../../openapi/layout.ts';

type Values = Record<string, unknown>;

/** Values that later calls use in paths and queries. */
const addresses: Readonly<Record<string, (value: unknown) => boolean>> = {
  id: isPathPart,
  version: isPathPart,
  next: isPlain,
};

/** The values of an answer, including those of list items. */
export function readValues(layout: Layout, body: unknown): Values {
  const values = withoutUnfit(readLayout(layout, body));
  return Array.isArray(values.list) ? { ...values, list: values.list.map(withoutUnfit) } : values;
}

function withoutUnfit(values: Values): Values {
  const unfit = Object.keys(addresses).filter(
    (name) => values[name] !== undefined && values[name] !== null && !addresses[name]?.(values[name]),
  );
  if (unfit.length === 0) return values;
  return Object.fromEntries(Object.entries(values).filter(([name]) => !unfit.includes(name)));
}

/** In characters. Longer values are not ids and do not fit into a path. */
const longest = 1_000;

/** Whether a value is safe in a path. Excludes empty values, and `.` and `..` even between slashes, which a server may decode. */
export function isPathPart(value: unknown): boolean {
  if (!isPlain(value)) return false;
  const text = String(value);
  const parts = text.split(/[/\\]/);
  const isElsewhere = parts.every((part) => part === '') || parts.some((part) => /^\.{1,2}$/.test(part));
  return !isElsewhere && !/\p{Cc}/u.test(text) && text.isWellFormed();
}

function isPlain(value: unknown): boolean {
  const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
  return isText && String(value).length <= longest;
}
