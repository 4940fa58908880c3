/** Limits for a shortened value. */
export interface Measure {
  /** Characters of a string. */
  text: number;
  /** Items of a list, or members of an object. */
  items: number;
  /** Values in total. */
  values: number;
}

/** Copies the beginning of every list, object and string. */
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

/** Copies a cut text, because a slice would retain the whole text. */
export function shortenText(text: string, most: number): string {
  return text.length <= most ? text : `${Buffer.from(text.slice(0, most), 'utf16le').toString('utf16le')}…`;
}

/** The same value if no list is longer than `most`, otherwise a copy with shorter lists. */
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
