/** Below this a body costs less than its connection; it is counted, and never waits. */
const smallBytes = 16_384;

/** Limits the bytes that are under way at a time; the others wait for their turn, in order. What is alone is always allowed. */
export function createByteBudget(limit: number) {
  const waiting: { bytes: number; start: () => void }[] = [];
  let used = 0;

  const hasRoom = (bytes: number) => used === 0 || used + bytes <= limit;

  return {
    /** Undefined where nobody has to wait. */
    acquire(bytes: number): Promise<void> | undefined {
      if (bytes > smallBytes && (waiting.length > 0 || !hasRoom(bytes)))
        return new Promise<void>((start) => waiting.push({ bytes, start }));
      used += bytes;
      return undefined;
    },
    release(bytes: number): void {
      used -= bytes;
      for (let next = waiting[0]; next && hasRoom(next.bytes); next = waiting[0]) {
        waiting.shift();
        used += next.bytes;
        next.start();
      }
    },
  };
}
