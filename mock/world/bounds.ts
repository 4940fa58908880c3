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
} as const;

/** A collection may grow to this many times its bound with entries that are still needed. */
const maxNeeded = 8;

/** Deletes the oldest entries of a collection that is a tenth over its bound; those still needed stay longer. */
export function keepNewest<Key, Entry>(
  entries: Map<Key, Entry>,
  bound: number,
  isNeeded: (entry: Entry) => boolean = () => false,
): void {
  if (entries.size <= bound * 1.1) return;
  for (const [key, entry] of entries) {
    if (entries.size <= bound) return;
    if (entries.size > maxNeeded * bound || !isNeeded(entry)) entries.delete(key);
  }
}
