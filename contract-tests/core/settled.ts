import { NotApplicable, NotVerified, PromiseBroken, Unreachable } from './outcomes.ts';

export interface Settled<T> {
  /** Returns the result or throws the error. */
  value(): T;
  error: Error | undefined;
}

/** Runs `work` and stores its result or verdict. Throws suite errors at once. */
export async function settle<T>(work: () => Promise<T>): Promise<Settled<T>> {
  try {
    const result = await work();
    return { value: () => result, error: undefined };
  } catch (error) {
    if (!isVerdict(error)) throw error;
    return {
      error,
      value: () => {
        throw error;
      },
    };
  }
}

function isVerdict(error: unknown): error is Error {
  return [NotVerified, NotApplicable, PromiseBroken, Unreachable].some((kind) => error instanceof kind);
}
