import { readNamedText } from '../../openapi/read-limited-text.ts';

/** What can't be learnt from: the message says what happened, where, and what to do. */
export class LearnError extends Error {}

/** The same of what could not be fetched. */
export class SourceUnreachable extends Error {}

/** Parses a text. `refuse` makes a message of where that fails, such as " at line 7": the parser's own quotes the text, which may hold secrets. */
export function parseSource(parse: () => unknown, refuse: (place: string) => string): unknown {
  try {
    return parse();
  } catch (error) {
    const [, line] = /\bline (\d+),? column \d+/.exec((error as Error).message) ?? [];
    throw new LearnError(refuse(line === undefined ? '' : ` at line ${line}`));
  }
}

/** The text of a file of up to so many bytes. `name` is what messages call it. Throws LearnError. */
export function readSource(path: string, largest: number, name = path): string {
  return readNamedText(path, largest, (reason, advice = 'give the path of a file') => {
    return new LearnError(`${name} can't be read (${reason}); ${advice}`);
  });
}
