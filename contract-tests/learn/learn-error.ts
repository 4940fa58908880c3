import { readNamedText } from '../../openapi/read-limited-text.ts';

/** An unusable source; the message is for the user. */
export class LearnError extends Error {}

/** A source that could not be fetched. */
export class SourceUnreachable extends Error {}

/** Replaces the parser's message, which quotes text that may contain secrets. `refuse` gets a place such as " at line 7". */
export function parseSource(parse: () => unknown, refuse: (place: string) => string): unknown {
  try {
    return parse();
  } catch (error) {
    const [, line] = /\bline (\d+),? column \d+/.exec((error as Error).message) ?? [];
    throw new LearnError(refuse(line === undefined ? '' : ` at line ${line}`));
  }
}

/** `largest`: in bytes. `name`: the file in messages. Throws LearnError. */
export function readSource(path: string, largest: number, name = path): string {
  return readNamedText(path, largest, (reason, advice = 'pass the path of a file') => {
    return new LearnError(`${name} can't be read (${reason}); ${advice}`);
  });
}
