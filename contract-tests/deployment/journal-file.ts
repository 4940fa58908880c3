import { appendFileSync, mkdirSync, realpathSync, rmSync, type Stats, statSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { NotVerified } from '../core/outcomes.ts';

export interface JournalFile {
  /** Writes what must stand there before anything is created. Throws NotVerified. */
  announce(text: string): void;
  /** Writes what became of it. Where that fails, clean-up looks for what is there no longer, and for what has no identifier. */
  append(text: string): void;
  /** Removes the file, but no device that was given instead. */
  remove(): void;
}

/** The file of a journal, made when the first line is written. */
export function openJournal(path: string): JournalFile {
  return {
    announce: (text) => {
      try {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        appendWhole(path, text);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        throw new NotVerified(
          `nothing is created that can't be listed for clean-up: the journal ${path} can't be written (${code}); make room, or give another --journal`,
        );
      }
    },
    append: (text) => {
      try {
        appendWhole(path, text);
      } catch {}
    },
    remove: () => {
      try {
        const file = realpathSync(path);
        if (statSync(file).isFile()) rmSync(file);
      } catch {}
    },
  };
}

/** Half a line would make the lines after it unreadable. */
function appendWhole(path: string, text: string): void {
  const there = statSync(path, { throwIfNoEntry: false });
  try {
    appendFileSync(path, text, { mode: 0o600, flag: there ? 'a' : 'ax' });
  } catch (error) {
    takeBack(path, there);
    throw error;
  }
}

function takeBack(path: string, before: Stats | undefined): void {
  try {
    if (before?.isFile()) truncateSync(path, before.size);
    else if (!before) rmSync(path);
  } catch {}
}
