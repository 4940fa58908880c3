// How much the mock keeps. It lives in memory, so beyond these the oldest goes; no test and no developer comes near.
export const bounds = {
  sessions: 10_000,
  sites: 10_000,
  contents: 10_000,
  submissions: 10_000,
  comments: 10_000,
  publications: 10_000,
  subscriptions: 10_000,
  deliveries: 10_000,
  firstAnswers: 10_000,
} as const;

/** Takes away the oldest entries of a collection that has grown a tenth over its bound; those that are needed stay for longer. */
export function keepNewest<Key, Entry>(
  entries: Map<Key, Entry>,
  bound: number,
  isNeeded: (entry: Entry) => boolean = () => false,
): void {
  if (entries.size <= bound * 1.1) return;
  for (const [key, entry] of entries) {
    if (entries.size <= bound) return;
    if (entries.size > 2 * bound || !isNeeded(entry)) entries.delete(key);
  }
}
