/** A wrong call of a command. The message is for the user. */
export class UsageError extends Error {
  /** The command whose help to suggest: "mock trigger". */
  command?: string;
}

/** Exit codes by names of error classes whose messages are for users. Any other error is a defect of sitepub. */
const exitCodes: Readonly<Record<string, number>> = {
  ...{ UsageError: 2, LeaveBehindNeeded: 2, ProfileError: 2, MockError: 2, WorldFileError: 2, Refused: 2 },
  ...{ StoreUnreachable: 3, SourceUnreachable: 3, MockUnreachable: 3 },
  OutputError: 4,
};

/** Undefined for a defect of sitepub. */
export function exitCodeOfError(error: unknown): number | undefined {
  return error instanceof Error ? exitCodes[error.constructor.name] : undefined;
}
