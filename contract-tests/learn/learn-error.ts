/** What can't be learnt from: the message says what happened, where, and what to do. `unreachable`: it could not be fetched. */
export class LearnError extends Error {
  readonly kind: 'unusable' | 'unreachable';
  constructor(message: string, kind: 'unusable' | 'unreachable' = 'unusable') {
    super(message);
    this.kind = kind;
  }
}

/** The line that a message of JSON.parse names; undefined if it names none. */
export function lineIn(message: string): string | undefined {
  return /\(line (\d+) column \d+\)$/.exec(message)?.[1];
}
