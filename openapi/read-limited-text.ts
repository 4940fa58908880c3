import { isUtf8 } from 'node:buffer';
import { closeSync, openSync, readSync } from 'node:fs';

/** Reads a file as UTF-8, up to a limit in bytes: it may be a device that never ends. Throws what Node throws, or an error with a code of its own. */
export function readLimitedText(path: string, limit: number): string {
  const file = openSync(path, 'r');
  try {
    const bytes = readUpTo(file, limit + 1);
    if (bytes.length > limit) throw withCode(tooLong);
    if (!isUtf8(bytes)) throw withCode(notUtf8);
    return bytes.toString();
  } finally {
    closeSync(file);
  }
}

export const tooLong = 'ETOOLONG';
export const notUtf8 = 'ENOTUTF8';

/** Why a file can't be read, in words. */
export function sayReadError(error: unknown, limit: number): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === tooLong) return `it is longer than ${Math.floor(limit / 1_048_576)} MB`;
  return code === notUtf8 ? 'it is not UTF-8' : String(code);
}

const pieceLength = 65_536;

function readUpTo(file: number, most: number): Buffer {
  const pieces: Buffer[] = [];
  for (let left = most; left > 0; ) {
    const piece = Buffer.alloc(Math.min(left, pieceLength));
    const count = readSync(file, piece);
    if (count === 0) break;
    pieces.push(piece.subarray(0, count));
    left -= count;
  }
  return Buffer.concat(pieces);
}

function withCode(code: string): Error {
  return Object.assign(new Error(code), { code });
}
