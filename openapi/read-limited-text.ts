import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';

/** `refuse` makes the error from a reason and an optional advice. */
export function readNamedText(
  path: string,
  limit: number,
  refuse: (reason: string, advice?: string) => Error,
): string {
  try {
    const bytes = readLimitedBytes(path, limit);
    if (!isUtf8(bytes)) throw withCode(notUtf8);
    return bytes.toString();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw refuse(sayReadError(error, limit), advices[code]);
  }
}

/** Limits the bytes, because a device may never end, and the wait for a pipe. Throws errors of Node, or an error with one of the codes below. */
export function readLimitedBytes(path: string, limit: number): Buffer {
  // Windows lacks this flag and these pipes.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const isPipe = fstatSync(file).isFIFO();
    const pieces: Buffer[] = [];
    let length = 0;
    while (length <= limit) {
      const piece = readPiece(file, isPipe && length === 0);
      if (piece.length === 0) return Buffer.concat(pieces);
      pieces.push(piece);
      length += piece.length;
    }
    throw withCode(tooLong);
  } finally {
    closeSync(file);
  }
}

const tooLong = 'ETOOLONG';
const notUtf8 = 'ENOTUTF8';
/** A pipe, for example `<(…)`, or a terminal may send nothing. */
const silent = 'ESILENT';

const reasons: Readonly<Record<string, (path: string, limit: number) => string>> = {
  ENOENT: (path) => `there is no file ${path}`,
  ENOTDIR: (path) => `a part of ${path} is a file, and not a folder`,
  EISDIR: () => 'it is a folder',
  EACCES: () => 'its permissions forbid it',
  [tooLong]: (_, limit) =>
    `it is longer than ${limit % mega === 0 ? `${limit / mega} MB` : `${limit} bytes`}`,
  [notUtf8]: () => 'it is not UTF-8',
  [silent]: () => 'it is a pipe without a writer',
};

const mega = 1_048_576;

const advices: Readonly<Record<string, string>> = {
  [tooLong]: 'leave out what is not needed',
  [notUtf8]: 'save it as UTF-8',
};

export function sayReadError(error: unknown, limit: number): string {
  const { code = '', path = '' } = error as NodeJS.ErrnoException;
  return reasons[code]?.(resolve(path), limit) ?? code;
}

const pieceLength = 65_536;
const pollMs = 10;
/** `written`: a writer has opened the pipe; `unopened`: none has yet. */
const longestSilenceMs = { written: 30_000, unopened: 1_000 };

function readPiece(file: number, isUnopened: boolean): Buffer {
  const piece = Buffer.allocUnsafe(pieceLength);
  for (let waited = 0; ; waited += pollMs) {
    const count = tryRead(file, piece);
    const isEnd = count === 0 && !isUnopened;
    if (count || isEnd) return piece.subarray(0, count);
    if (waited >= longestSilenceMs[count === 0 ? 'unopened' : 'written']) throw withCode(silent);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollMs);
  }
}

/** Returns undefined if no data has arrived yet. */
function tryRead(file: number, piece: Buffer): number | undefined {
  try {
    return readSync(file, piece);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
    throw error;
  }
}

function withCode(code: string): Error {
  return Object.assign(new Error(code), { code });
}
