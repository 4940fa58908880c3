/** How much of a JSON value is kept. */
export interface Measure {
  /** Of a text, in characters. */
  text: number;
  /** Of a list or an object, in items or members. */
  items: number;
  /** In all. */
  values: number;
}

/** A copy of a JSON value that is not large, whatever the value is: the beginning of its lists, objects and texts. */
export function shortenJson(value: unknown, measure: Measure): unknown {
  let left = measure.values;
  const shorten = (part: unknown): unknown => {
    left -= 1;
    if (typeof part === 'string') return shortenText(part, measure.text);
    if (typeof part !== 'object' || part === null) return part;
    const kept = (count: number) => Math.min(count, measure.items, Math.max(0, left));
    if (Array.isArray(part)) return part.slice(0, kept(part.length)).map(shorten);
    const names = Object.keys(part);
    return Object.fromEntries(
      names
        .slice(0, kept(names.length))
        .map((name) => [shortenText(name, measure.text), shorten((part as Record<string, unknown>)[name])]),
    );
  };
  return shorten(value);
}

/** A copy where it is cut: a slice would hold on to the whole text. */
export function shortenText(text: string, most: number): string {
  return text.length <= most ? text : `${Buffer.from(text.slice(0, most), 'utf16le').toString('utf16le')}…`;
}

/** The same value where no list in it is longer than that; else a copy without what is too much. */
export function withoutLongLists(value: unknown, most: number): unknown {
  return hasLongList(value, most)
    ? shortenJson(value, { text: Infinity, items: most, values: Infinity })
    : value;
}

function hasLongList(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.length > most || value.some((part) => hasLongList(part, most));
  let count = 0;
  for (const name in value) {
    count++;
    if (count > most || hasLongList((value as Record<string, unknown>)[name], most)) return true;
  }
  return false;
}
