// How an interrupted run ends in time, whatever the deployment does: calls under way get a moment, the clean-up a few, and then nothing is sent.

/** The two steps of an interruption. */
export interface Ending {
  /** Aborted by the user: from then on each call has a moment only. */
  interrupted: AbortSignal;
  /** Aborted a little later: nothing is sent any more. */
  stopped: AbortSignal;
}

/** What goes on for how long after an interruption, in milliseconds. */
export const endingMs = {
  call: 1_000,
  cleanUp: 1_800,
  /** The thread of the checks, which cleans up. */
  thread: 2_400,
  /** The process, which writes the report. */
  process: 3_200,
} as const;

/** The ending of a run that `interrupted` interrupts; without it nothing does. */
export function createEnding(interrupted: AbortSignal = new AbortController().signal): Ending {
  const stop = new AbortController();
  onAbort(interrupted, () => setTimeout(() => stop.abort(), endingMs.cleanUp).unref());
  return { interrupted, stopped: stop.signal };
}

/** The result of `work`; undefined as soon as the signal is aborted, whatever becomes of the work. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T | undefined> {
  const { promise: end, resolve } = Promise.withResolvers<undefined>();
  const stopListening = onAbort(signal, () => resolve(undefined));
  try {
    return await Promise.race([end, work]);
  } finally {
    stopListening();
  }
}

/** Calls a function when a signal is aborted, or at once where it is already. Call the result to have it forgotten. */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act, { once: true });
  return () => signal.removeEventListener('abort', act);
}
