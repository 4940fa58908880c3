// What a run reads of large answers: one after the other, since each takes many times its size, and so much in all.

/** An answer is large beyond so many bytes. */
export const largeBytes = 1_048_576;

/** So many bytes are read of large answers in all. A list of 10,000 sites has 2 MB, and a run reads it some fifty times. */
const mostInAll = 256 * 1_048_576;

export interface LargeAnswers {
  /** Waits until the large answers before it have been read; what it returns ends the turn. */
  turn(): Promise<() => void>;
  /** Counts the bytes of an answer. Throws an Error where more was read in all than a run does. */
  count(bytes: number): void;
}

/** For the answers of one run. */
export function limitLargeAnswers(): LargeAnswers {
  let [last, inAll] = [Promise.resolve(), 0];
  return {
    turn: async () => {
      const before = last;
      const { promise, resolve } = Promise.withResolvers<void>();
      last = promise;
      await before;
      return resolve;
    },
    count: (bytes) => {
      if (bytes > largeBytes) inAll += bytes;
      if (bytes > largeBytes && inAll > mostInAll)
        throw new Error(
          `it is larger than ${largeBytes / 1_048_576} MB, and ${mostInAll / 1_048_576} MB of such answers were read already`,
        );
    },
  };
}
