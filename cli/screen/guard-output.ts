import { Writable } from 'node:stream';
import { getSystemErrorMessage } from 'node:util';
import { visibleLines } from '../../contract-tests/core/visible-text.ts';

const esc = '\u001b';

/** What the command itself sends to a terminal: colours, and a line that is redrawn. */
const own = new RegExp(`(${esc}\\[[\\d;]*m|\\r${esc}\\[K)`);

/** Escapes control characters in texts for standard output and standard error. Bytes pass unchanged, for lines that a CI log must interpret. A full disk changes the exit code to 4; a closed pipe does not. */
export function guardOutput(): void {
  guardTexts(process.stdout);
  guardTexts(process.stderr);
  // There is no other place to report this.
  process.stderr.on('error', () => {});
  let failure: NodeJS.ErrnoException | undefined;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') failure ??= error;
  });
  process.once('exit', () => {
    if (!failure) return;
    process.stderr.write(
      `sitepub: standard output can't be written (${describeError(failure)}); some output is lost\n`,
    );
    process.exitCode = 4;
  });
}

/** "ENOSPC, no space left on device". */
export function describeError({ code, errno, message }: NodeJS.ErrnoException): string {
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

/** Reserves standard output for one writer. Everything else that prints there goes to standard error. */
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
