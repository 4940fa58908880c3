// How much the mock keeps. It lives in memory, so beyond these the oldest goes; no test and no developer comes near.
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

/** How many times its bound a collection may hold of what is needed. */
const mostNeeded = 8;

/** Takes away the oldest entries of a collection that has grown a tenth over its bound; those that are needed stay for longer. */
export function keepNewest<Key, Entry>(
  entries: Map<Key, Entry>,
  bound: number,
  isNeeded: (entry: Entry) => boolean = () => false,
): void {
  if (entries.size <= bound * 1.1) return;
  for (const [key, entry] of entries) {
    if (entries.size <= bound) return;
    if (entries.size > mostNeeded * bound || !isNeeded(entry)) entries.delete(key);
  }
}
