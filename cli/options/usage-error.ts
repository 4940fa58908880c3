/** A wrong call of a command, with a message for the user. */
export class UsageError extends Error {
  /** The command whose help says more: "mock trigger". */
  command?: string;
}
