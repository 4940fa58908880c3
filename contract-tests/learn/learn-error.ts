/** What can't be learnt from: the message says what happened, where, and what to do. `unreachable`: it could not be fetched. */
export class LearnError extends Error {
  readonly kind: 'unusable' | 'unreachable';
  constructor(message: string, kind: 'unusable' | 'unreachable' = 'unusable') {
    super(message);
    this.kind = kind;
  }
}

/** Where a parser's message says that it failed: " at line 7". The rest of it quotes the text, which may hold secrets. */
export function lineIn(error: unknown): string {
  const [, line] = /\bline (\d+),? column \d+/.exec((error as Error).message) ?? [];
  return line === undefined ? '' : ` at line ${line}`;
}
