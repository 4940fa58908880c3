/** A wrong call of the command line: the message says what is wrong and what to do; the exit code is 2. */
export class UsageError extends Error {}
