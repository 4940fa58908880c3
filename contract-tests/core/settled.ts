// Results that are read later: reading a failed one throws its error.
import { NotApplicable, NotVerified, PromiseBroken, Unreachable } from './outcomes.ts';

export interface Settled<T> {
  /** Returns the result, or throws the error. */
  value(): T;
  error: Error | undefined;
}

/** Runs `work`, and returns its result or its verdict. Errors of the suite itself are thrown at once. */
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
