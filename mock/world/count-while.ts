/** How many entries from the beginning meet a condition that no later one meets, by halving. */
export function countWhile<Entry>(
  entries: readonly Entry[],
  holds: (entry: Entry, index: number) => boolean,
): number {
  let [from, to] = [0, entries.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (holds(entries[middle] as Entry, middle)) from = middle + 1;
    else to = middle;
  }
  return from;
}
