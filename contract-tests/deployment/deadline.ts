// One deadline for a whole request: connecting, headers and body.
import { type Ending, onAbort } from '../core/ending.ts';
import { interruption } from '../core/outcomes.ts';

interface Limits {
  timeoutMs: number;
  ending?: Ending | undefined;
}

/** Rejects and aborts the signal at the deadline, or a moment after an interruption of the run. */
export async function withDeadline<T>(
  { timeoutMs, ending }: Limits,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (ending?.stopped.aborted) throw new Error(interruption.reason);
  const { promise: lost, reject } = Promise.withResolvers<never>();
  const closing = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  const loseAfter = (ms: number, reason: string) => {
    const lose = () => {
      reject(new Error(reason));
      closing.abort();
    };
    timers.push(setTimeout(lose, ms));
  };
  loseAfter(timeoutMs, `no complete answer within ${timeoutMs / 1_000} s`);
  const stopWatching = onEnding(ending, loseAfter);
  try {
    return await Promise.race([work(closing.signal), lost]);
  } finally {
    stopWatching();
    for (const timer of timers) clearTimeout(timer);
  }
}

function onEnding(ending: Ending | undefined, loseAfter: (ms: number, reason: string) => void): () => void {
  if (!ending) return () => {};
  const reactions = [
    onAbort(ending.interrupted, () => loseAfter(ending.callMs(), interruption.reason)),
    onAbort(ending.stopped, () => loseAfter(0, interruption.reason)),
  ];
  return () => {
    for (const forget of reactions) forget();
  };
}
