// Ends an interrupted run in time even if the deployment is slow: limits the running calls and the clean-up, then sends nothing more.

export interface Ending {
  /** Aborted by the user: each call then has only a moment. */
  interrupted: AbortSignal;
  /** Aborted a little later: nothing is sent after that. */
  stopped: AbortSignal;
  /** Records the response time of an answer, in milliseconds. */
  noteAnswer(ms: number): void;
  /** How long a call may continue after the interruption, in milliseconds. */
  callMs(): number;
}

/** Time limits after an interruption, in milliseconds. */
export const endingMs = {
  call: 1_000,
  cleanUp: 1_800,
  /** The thread of the checks, which cleans up. */
  thread: 2_400,
  /** The process, which writes the report. */
  process: 3_200,
  /** Clean-up and process, if they wait for a slow deployment. */
  slowCleanUp: 20_000,
  slowProcess: 22_000,
} as const;

/** The process must end soon even if the deployment is slow, because the sender of SIGTERM may kill it. */
export class Terminated extends DOMException {
  constructor() {
    super('the process received SIGTERM', 'AbortError');
  }
}

/** A deployment is slow if its median response time exceeds `usualAnswerMs`; the time counts up to `longestAnswerMs`. */
const usualAnswerMs = 500;
const longestAnswerMs = 3_000;
/** The median is of the last `lastAnswers`. The clean-up of a slow deployment gets `answersInCleanUp` times the median more. */
const lastAnswers = 9;
const answersInCleanUp = 8;

/** `interrupted` interrupts the run. `isPatient`: the clean-up waits for the answers of a slow deployment. */
export function createEnding(
  interrupted: AbortSignal = new AbortController().signal,
  { isPatient = false } = {},
): Ending {
  const stop = new AbortController();
  const tookMs: number[] = [];
  const answerMs = () => {
    const usual = tookMs.toSorted((one, other) => one - other)[Math.floor(tookMs.length / 2)] ?? 0;
    const isSlow = isPatient && !(interrupted.reason instanceof Terminated) && usual > usualAnswerMs;
    return isSlow ? Math.min(usual, longestAnswerMs) : 0;
  };
  const cleanUpMs = () => Math.min(endingMs.cleanUp + answersInCleanUp * answerMs(), endingMs.slowCleanUp);
  onAbort(interrupted, () => setTimeout(() => stop.abort(), cleanUpMs()).unref());
  return {
    interrupted,
    stopped: stop.signal,
    noteAnswer: (ms) => {
      tookMs.push(ms);
      if (tookMs.length > lastAnswers) tookMs.shift();
    },
    callMs: () => Math.max(endingMs.call, 2 * answerMs()),
  };
}

/** The result of `work`, or undefined as soon as the signal is aborted. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T | undefined> {
  const { promise: end, resolve } = Promise.withResolvers<undefined>();
  const stopListening = onAbort(signal, () => resolve(undefined));
  try {
    return await Promise.race([end, work]);
  } finally {
    stopListening();
  }
}

/** Calls `act` when the signal is aborted, or at once if it already is. Call the result to remove the listener. */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act, { once: true });
  return () => signal.removeEventListener('abort', act);
}
