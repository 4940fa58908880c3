// One deadline for a request: connecting, headers and body together, whatever comes in between.
import type { ClientRequest } from 'node:http';
import { type Ending, onAbort } from '../core/ending.ts';
import { interruption } from '../core/outcomes.ts';

/** What a request is given to end in time. */
export interface Deadline {
  /** Aborted at the deadline; it closes the connection. */
  signal: AbortSignal;
  /** Called with the request once it is made. */
  watch(request: ClientRequest): void;
}

interface Limits {
  timeoutMs: number;
  ending?: Ending | undefined;
}

/** Does the work of one request. Rejects at its deadline, and a moment after the run was interrupted. */
export async function withDeadline<T>(
  { timeoutMs, ending }: Limits,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  if (ending?.stopped.aborted) throw new Error(interruption.reason);
  const { promise: lost, reject } = Promise.withResolvers<never>();
  const closing = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  const lose = (reason: string) => {
    reject(new Error(reason));
    closing.abort();
  };
  const loseAfter = (ms: number, reason: string) => void timers.push(setTimeout(lose, ms, reason));
  loseAfter(timeoutMs, `no whole answer within ${timeoutMs / 1_000} s`);
  const stopWatching = onEnding(ending, loseAfter);
  const watch = (request: ClientRequest) => {
    refuseUpgrade(request, lose);
    boundInterim(request, lose);
  };
  try {
    return await Promise.race([work({ signal: closing.signal, watch }), lost]);
  } finally {
    stopWatching();
    for (const timer of timers) clearTimeout(timer);
  }
}

function onEnding(ending: Ending | undefined, loseAfter: (ms: number, reason: string) => void): () => void {
  if (!ending) return () => {};
  const reactions = [
    onAbort(ending.interrupted, () => loseAfter(ending.callMs(), interruption.reason)),
    onAbort(ending.stopped, () => loseAfter(0, interruption.reason)),
  ];
  return () => {
    for (const forget of reactions) forget();
  };
}

/** Node closes the connection at an upgrade that nobody asked for, and says nothing of it. */
function refuseUpgrade(request: ClientRequest, lose: (reason: string) => void): void {
  request.once('upgrade', ({ statusCode }, socket) => {
    socket.destroy();
    lose(`it wants another protocol (HTTP ${statusCode}), which nobody asked for`);
  });
}

/** The most interim answers (1xx) before the answer itself. */
const mostInterim = 100;

function boundInterim(request: ClientRequest, lose: (reason: string) => void): void {
  let count = 0;
  request.on('information', () => {
    count++;
    if (count > mostInterim) lose(`more than ${mostInterim} interim answers (1xx) came before it`);
  });
}
