// Reuses connections. Data that arrives before a request is never taken for its answer.
import { setImmediate as turn } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import type { OpenConnection } from './connection.ts';

/** A connection with one request at a time. */
export interface Line {
  dispatcher: Dispatcher;
  answers: number;
  idleSince: number;
  /** Closes the connection, even during a request. */
  close(): void;
}

export interface Lines {
  /** An idle connection; with `isNew`, a new one. */
  take(isNew?: boolean): Promise<Line>;
  /** Returns a connection after a complete answer. */
  giveBack(line: Line): void;
}

/** A connection must be silent this long before it is reused, because a second answer may follow. In milliseconds. */
const quietMs = 10;

export function createLines(open: OpenConnection): Lines {
  const idle: Line[] = [];
  return {
    take: async (isNew = false) => {
      const latest = performance.now() - quietMs;
      const index = isNew ? -1 : idle.findLastIndex(({ idleSince }) => idleSince <= latest);
      const line = idle.splice(index, index < 0 ? 0 : 1)[0];
      if (!line) return openLine(open);
      // Lets a busy process read data that arrived meanwhile; undici waits another half turn.
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
