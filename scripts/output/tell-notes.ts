// Writes what happens in a mock to a stream, without ever holding the mock up.

import { visibleJson, visibleLines } from '../../contract-tests/core/visible-text.ts';
import type { NamedNote } from '../../mock/worlds/started-worlds.ts';
import { lineOf, painter } from './note-lines.ts';
import { usesColour } from './use-colour.ts';

export type LogFormat = 'text' | 'json';

/** A mistake of the mock itself, or a file that was read anew or could not be. */
interface MessageNote {
  type: 'error' | 'reload';
  message: string;
}

type Output = Pick<NodeJS.WriteStream, 'write' | 'writableLength' | 'isTTY' | 'on'>;

/** Where nobody reads the stream, lines are dropped beyond this. */
const mostUnreadBytes = 1_000_000;

type Tell = (notes: readonly (NamedNote | MessageNote)[]) => void;

/** Returns what writes notes, each list in one go. */
export function createTeller(format: LogFormat, stream: Output = process.stderr): Tell {
  const paint = painter(usesColour(stream));
  const toLine = (note: NamedNote | MessageNote) => {
    if (format === 'json') return visibleJson(note);
    return 'message' in note ? visibleLines(note.message) : lineOf(note, paint);
  };
  let isClosed = false;
  let dropped = 0;
  // Whoever read it has gone; the mock goes on.
  stream.on('error', () => {
    isClosed = true;
  });
  return (notes) => {
    if (isClosed) return;
    if (stream.writableLength > mostUnreadBytes) {
      dropped += notes.length;
      return;
    }
    const lines = notes.map(toLine);
    if (dropped > 0) lines.unshift(toldOfDropped(format, dropped));
    dropped = 0;
    // As bytes: the lines are harmless already, and their colours are wanted.
    stream.write(Buffer.from(`${lines.join('\n')}\n`));
  };
}

const longestEndMs = 500;

/** Where nobody reads what was told, the process ends all the same. */
export function endUnread(stream: Pick<Output, 'writableLength'> = process.stderr): void {
  if (stream.writableLength > 0) setTimeout(() => process.exit(), longestEndMs).unref();
}

function toldOfDropped(format: LogFormat, count: number): string {
  if (format === 'json') return JSON.stringify({ type: 'dropped', count });
  return `(${count} lines were dropped, since nobody read them)`;
}
