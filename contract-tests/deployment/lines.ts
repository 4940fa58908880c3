// Connections that are used again. What comes on one of them before it is asked for is nobody's answer.
import { setImmediate as turn } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import type { OpenConnection } from './connection.ts';

/** A connection that has one request at a time. */
export interface Line {
  dispatcher: Dispatcher;
  /** How many answers have come since it was opened. */
  answers: number;
  /** When the last answer came, by performance.now(). */
  idleSince: number;
  /** Closes it for good, whatever is under way. */
  close(): void;
}

export interface Lines {
  /** A connection that nobody uses; `isNew`: one that was not used before. */
  take(isNew?: boolean): Promise<Line>;
  /** Takes a connection back after a whole answer. */
  giveBack(line: Line): void;
}

/** So long a connection has to be silent after an answer, in milliseconds: a second answer may be right behind the first. */
const quietMs = 10;

export function createLines(open: OpenConnection): Lines {
  const idle: Line[] = [];
  return {
    take: async (isNew = false) => {
      const latest = performance.now() - quietMs;
      const index = isNew ? -1 : idle.findLastIndex(({ idleSince }) => idleSince <= latest);
      const line = idle.splice(index, index < 0 ? 0 : 1)[0];
      if (!line) return openLine(open);
      // Where this process was busy, what came meanwhile has not been read yet: that takes a whole turn, of which undici waits the other half.
      await turn();
      return line;
    },
    giveBack: (line) => {
      line.answers++;
      line.idleSince = performance.now();
      idle.push(line);
    },
  };
}

function openLine(open: OpenConnection): Line {
  const closing = new AbortController();
  const onOpened = () => {
    line.answers = 0;
  };
  const dispatcher = open({ signal: closing.signal, onOpened });
  const close = () => {
    closing.abort();
    void dispatcher.destroy();
  };
  const line: Line = { dispatcher, answers: 0, idleSince: 0, close };
  return line;
}
