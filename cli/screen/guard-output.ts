// The last place before the screen: whatever is printed obeys nobody, and a screen that can't be written is told of.
import { getSystemErrorMessage } from 'node:util';
import { visibleLines } from '../../contract-tests/core/visible-text.ts';
import { Writable } from 'node:stream';

const esc = '\u001b';

/** What the command itself sends a terminal: colours, and a line that is drawn anew. */
const own = new RegExp(`(${esc}\\[[\\d;]*m|\\r${esc}\\[K)`);

/**
 * Makes texts on standard output and standard error harmless; bytes pass as they are, for those lines that a log shall obey.
 * Where standard output is full, the exit code is 4, and standard error says so; a reader that has gone away is no failure.
 */
export function guardOutput(): void {
  guardTexts(process.stdout);
  guardTexts(process.stderr);
  // Nowhere is left to say it.
  process.stderr.on('error', () => {});
  let failure: NodeJS.ErrnoException | undefined;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') failure ??= error;
  });
  process.once('exit', () => {
    if (!failure) return;
    process.stderr.write(
      `sitepub: standard output can't be written (${sayError(failure)}); some output is lost\n`,
    );
    process.exitCode = 4;
  });
}

/** An error of the system in a few words: "ENOSPC, no space left on device". */
export function sayError({ code, errno, message }: NodeJS.ErrnoException): string {
  if (code === undefined) return message;
  return errno === undefined ? code : `${code}, ${getSystemErrorMessage(errno)}`;
}

function guardTexts(stream: NodeJS.WriteStream): void {
  const write = stream.write.bind(stream) as (chunk: unknown, ...others: unknown[]) => boolean;
  const guarded = (chunk: unknown, ...others: unknown[]) =>
    write(typeof chunk === 'string' ? harmless(chunk, stream.isTTY) : chunk, ...others);
  stream.write = guarded as typeof stream.write;
}

function harmless(text: string, isTerminal: boolean): string {
  if (!isTerminal) return visibleLines(text);
  return text
    .split(own)
    .map((part, index) => (index % 2 === 0 ? visibleLines(part) : part))
    .join('');
}

/** Standard output for one writer alone; what anything else prints there from now on goes to standard error. */
export function reserveOutput(): Writable {
  const write = process.stdout.write.bind(process.stdout) as (
    bytes: Uint8Array,
    done: (error?: Error | null) => void,
  ) => boolean;
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;
  return new Writable({
    write: (bytes: Uint8Array, _encoding, done) => void write(bytes, done),
  });
}
