// Where the body of a push is cut, so that it comes to the receiver in parts. Positions are in bytes, in order.

/** Cuts a body; each part is sent on its own. */
export type Cut = (bytes: Buffer) => readonly number[];

export const inTwo: Cut = ({ length }) => [length >> 1];

export const afterEachByte: Cut = ({ length }) =>
  Array.from({ length: Math.max(0, length - 1) }, (_, at) => at + 1);

/** Inside the first of each of the texts, after each of its bytes but the last. */
export function insideOf(...texts: readonly string[]): Cut {
  return (bytes) =>
    texts.flatMap((text) => {
      const start = bytes.indexOf(text);
      return start < 0 ? [] : afterEachByte(Buffer.from(text)).map((at) => start + at);
    });
}

/** The parts of a body. */
export function cutBody(bytes: Buffer, cut: Cut): Buffer[] {
  const ends = [...cut(bytes), bytes.length];
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}
