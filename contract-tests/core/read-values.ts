// The values of an answer by name. What can't be addressed by its identifier has none: `..` in a path would name its parent.
import { type Layout, readLayout } from '../../openapi/layout.ts';

type Values = Record<string, unknown>;

/** What later calls put into their paths and queries. */
const addresses: Readonly<Record<string, (value: unknown) => boolean>> = {
  id: isPathPart,
  version: isPathPart,
  next: isPlain,
};

/** The values that an answer holds, those of the items of its list included. */
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

/** Longer ones are no identifiers, and more than a server takes in a path. */
const longest = 1_000;

/** Whether a value can stand in a path. With `.` or `..`, also between slashes that a server decodes, or with nothing, the path leads elsewhere. */
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
