// What a run reads of large answers: one after the other, since each takes many times its size, and so much in all.

/** An answer is large beyond so many bytes, each of its values counted as 40 more. */
export const largeBytes = 262_144;
const bytesOfValue = 40;

/** So much is read of large answers in all. A list of 5,000 sites counts as 3 MB, and a run reads lists some fifty times. */
const mostInAll = 192 * 1_048_576;

/** The size of an answer: of its body in bytes, and how many JSON values it has. */
interface Size {
  bytes: number;
  values: number;
}

export interface LargeAnswers {
  /** Waits until the large answers before it have been read; what it returns ends the turn. */
  turn(): Promise<() => void>;
  /** Counts an answer. Throws an Error where more was read in all than a run does. */
  count(size: Size): void;
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
    count: ({ bytes, values }) => {
      const size = bytes + values * bytesOfValue;
      if (size <= largeBytes) return;
      inAll += size;
      if (inAll > mostInAll)
        throw new Error(
          `it is large, and ${mostInAll / 1_048_576} MB of large answers were read already, each value counted as ${bytesOfValue} bytes`,
        );
    },
  };
}
