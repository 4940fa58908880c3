/** `gone`: another process has ended the world. */
type FailureReason = 'unreachable' | 'full' | 'refused' | 'gone' | 'other';

/** The message names the store, what is wrong with it and what to do. */
export class StoreError extends Error {
  /** Whether a retry may succeed soon. */
  isTransient: boolean;
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

export function sayDamaged(place: string): string {
  return `store ${place}: its data is damaged; use another store, and back up this one if you need its data`;
}

/** Throws a StoreError if the stored JSON is damaged. */
export function readStored<Result>(place: string, read: () => Result): Result {
  try {
    return read();
  } catch {
    throw new StoreError(sayDamaged(place));
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
