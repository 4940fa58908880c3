// Limits memory: large answers are read one at a time, because each takes many times its size, and only up to a total.

/** An answer is large beyond this size. Each JSON value counts as 40 additional bytes. */
export const largeBytes = 262_144;
const bytesOfValue = 40;

/** The total for large answers. A list of 5,000 sites counts as 3 MB, and a run reads lists about fifty times. */
const mostInAll = 192 * 1_048_576;

/** Bytes of the body, and number of JSON values. */
interface Size {
  bytes: number;
  values: number;
}

export interface LargeAnswers {
  /** Waits until earlier large answers have been read. Call the result to end the turn. */
  turn(): Promise<() => void>;
  /** Adds an answer to the total. Throws an Error beyond the limit. */
  count(size: Size): void;
}

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
    count: ({ bytes, values }) => {
      const size = bytes + values * bytesOfValue;
      if (size <= largeBytes) return;
      inAll += size;
      if (inAll > mostInAll)
        throw new Error(
          `the answer is large, and the run has already read ${mostInAll / 1_048_576} MB of large answers (each JSON value counts as ${bytesOfValue} bytes)`,
        );
    },
  };
}
