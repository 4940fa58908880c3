// How many entries the mock keeps in memory before it deletes the oldest; far more than tests or developers need.
export const bounds = {
  sessions: 5_000,
  sites: 5_000,
  contents: 5_000,
  submissions: 5_000,
  comments: 5_000,
  publications: 5_000,
  subscriptions: 5_000,
  deliveries: 2_500,
  firstAnswers: 5_000,
  /** For each memory of a fault. */
  faultMemory: 5_000,
} as const;

/** A collection may grow to this many times its bound with entries that are still needed. */
const maxNeeded = 8;

/** A collection is looked through when it has grown by so much over its bound, or since it was found to be needed. */
const growth = 0.1;

/** The sizes from which collections that hold more needed entries than their bound are looked through again. */
const sizesToLookAgain = new WeakMap<object, number>();

/** Deletes the oldest entries of a collection that is a tenth over its bound; those still needed stay longer. */
export function keepNewest<Key, Entry>(
  entries: Map<Key, Entry>,
  bound: number,
  isNeeded: (entry: Entry) => boolean = () => false,
): void {
  if (entries.size <= Math.max(bound * (1 + growth), sizesToLookAgain.get(entries) ?? 0)) return;
  for (const [key, entry] of entries) {
    if (entries.size <= bound) break;
    if (entries.size > maxNeeded * bound || !isNeeded(entry)) entries.delete(key);
  }
  // Looking through them at each addition would cost quadratic time.
  sizesToLookAgain.set(entries, entries.size + growth * bound);
}
