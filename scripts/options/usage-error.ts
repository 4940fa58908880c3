/** A call that can't be taken: the message says what is wrong and what to do; the exit code is 2. */
export class UsageError extends Error {}
