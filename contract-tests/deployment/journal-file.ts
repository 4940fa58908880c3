import { appendFileSync, mkdirSync, realpathSync, rmSync, type Stats, statSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { NotVerified } from '../core/outcomes.ts';

export interface JournalFile {
  /** Writes an entry before a creation. Throws NotVerified if that fails. */
  announce(text: string): void;
  /** Writes the result of a creation. Ignores errors: clean-up then searches for the resource. */
  append(text: string): void;
  /** Removes the file, unless it is a device. */
  remove(): void;
}

/** Creates the file with its first line. */
export function openJournal(path: string): JournalFile {
  return {
    announce: (text) => {
      try {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        appendWhole(path, text);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        throw new NotVerified(
          `the journal ${path} cannot be written (${code}), so the run creates nothing that it could not clean up; free disk space or pass another --journal`,
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

/** Removes a partial line after an error, because it would make later lines unreadable. */
function appendWhole(path: string, text: string): void {
  const there = statSync(path, { throwIfNoEntry: false });
  try {
    appendFileSync(path, text, { mode: 0o600, flag: there ? 'a' : 'ax' });
  } catch (error) {
    undo(path, there);
    throw error;
  }
}

function undo(path: string, before: Stats | undefined): void {
  try {
    if (before?.isFile()) truncateSync(path, before.size);
    else if (!before) rmSync(path);
  } catch {}
}
