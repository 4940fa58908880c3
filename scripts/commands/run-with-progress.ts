import type { Watcher } from '../../contract-tests/run/run-in-vitest.ts';
import { createProgress } from '../output/progress.ts';
import { runInterruptibly } from './interruptible.ts';

/** Does some work that can be interrupted, with a line of progress on the terminal. */
export async function runWithProgress<T>(work: (watcher: Watcher) => Promise<T>): Promise<T> {
  const progress = createProgress();
  try {
    return await runInterruptibly((signal) => work({ ...progress, signal }));
  } finally {
    progress.clear();
  }
}
