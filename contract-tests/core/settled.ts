// Results that are asked for later: what went wrong in making them is thrown by each who needs them.
import { NotVerified, PromiseBroken, Unreachable } from './outcomes.ts';

export interface Settled<T> {
  /** The result; throws what kept it from being there. */
  value(): T;
  error: Error | undefined;
}

/** Makes something, and keeps the result or the verdict. Errors of the suite itself are thrown at once. */
export async function settle<T>(make: () => Promise<T>): Promise<Settled<T>> {
  try {
    const made = await make();
    return { value: () => made, error: undefined };
  } catch (error) {
    if (!(error instanceof NotVerified || error instanceof PromiseBroken || error instanceof Unreachable))
      throw error;
    return {
      error,
      value: () => {
        throw error;
      },
    };
  }
}
