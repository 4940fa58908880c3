// How an interrupted run ends in time, whatever the deployment does: calls under way get a moment, the clean-up a few, and then nothing is sent.

/** The two steps of an interruption. */
export interface Ending {
  /** Aborted by the user: from then on each call has a moment only. */
  interrupted: AbortSignal;
  /** Aborted a little later: nothing is sent any more. */
  stopped: AbortSignal;
  /** Notes how long the deployment took for an answer, in milliseconds. */
  noteAnswer(ms: number): void;
  /** How long a call goes on after the interruption, in milliseconds. */
  callMs(): number;
}

/** What goes on for how long after an interruption, in milliseconds. */
export const endingMs = {
  call: 1_000,
  cleanUp: 1_800,
  /** The thread of the checks, which cleans up. */
  thread: 2_400,
  /** The process, which writes the report. */
  process: 3_200,
  /** The clean-up, and the process, where it waits for a slow deployment. */
  slowCleanUp: 20_000,
  slowProcess: 22_000,
} as const;

/** The process is to end soon, be the deployment slow or not: what has sent SIGTERM may kill it in a moment. */
export class Terminated extends DOMException {
  constructor() {
    super('the process was told to end', 'AbortError');
  }
}

/** Answers that take less leave time enough for cleaning up; of longer ones, so much counts at most. In milliseconds. */
const usualAnswerMs = 500;
const longestAnswerMs = 3_000;
/** So many of the last answers are looked at, and for so many times the usual one of them the clean-up goes on. */
const lastAnswers = 9;
const answersInCleanUp = 8;

/** The ending of a run that `interrupted` interrupts; without it nothing does. `isPatient`: the clean-up waits for the answers of a slow deployment. */
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
