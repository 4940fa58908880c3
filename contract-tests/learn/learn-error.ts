import { readNamedText } from '../../openapi/read-limited-text.ts';

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

/** The text of a file of up to so many bytes. `name` is what messages call it. Throws LearnError. */
export function readSource(path: string, largest: number, name = path): string {
  return readNamedText(path, largest, (reason, advice = 'give the path of a file') => {
    return new LearnError(`${name} can't be read (${reason}); ${advice}`);
  });
}
