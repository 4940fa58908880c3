import type { Watcher } from '../../contract-tests/run/run-suite.ts';
import { createProgress } from '../output/progress.ts';

/** Does some work that `signal` ends, with a line of progress on the terminal. */
export async function runWithProgress<T>(
  signal: AbortSignal,
  work: (watcher: Watcher) => Promise<T>,
): Promise<T> {
  const progress = createProgress();
  try {
    return await work({ ...progress, signal });
  } finally {
    progress.clear();
  }
}
