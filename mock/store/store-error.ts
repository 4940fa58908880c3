// What is wrong with a store, in words for its users.

/** `gone`: another process has ended the world. */
type FailureReason = 'unreachable' | 'full' | 'refused' | 'gone' | 'other';

/** Its message says what is wrong with which store, and what to do. */
export class StoreError extends Error {
  /** Whether another try may succeed soon. */
  isTransient: boolean;
  /** For metrics. */
  reason: FailureReason;

  constructor(
    message: string,
    { isTransient = false, reason = 'other' }: { isTransient?: boolean; reason?: FailureReason } = {},
  ) {
    super(message);
    this.isTransient = isTransient;
    this.reason = reason;
  }
}

/** The message for rows that can be read, and make no sense. */
export function sayDamaged(place: string): string {
  return `store ${place}: what it keeps is damaged; name another one, and keep this one if what is in it is wanted`;
}

/** Reads stored JSON. Throws a StoreError if it is damaged. */
export function readKept<Result>(place: string, read: () => Result): Result {
  try {
    return read();
  } catch {
    throw new StoreError(sayDamaged(place));
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
