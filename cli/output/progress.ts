// The progress of a run: a line on a terminal, which is drawn anew, and elsewhere a line for each long wait.
import { visible } from '../../contract-tests/core/visible-text.ts';
import type { OnWait } from '../../contract-tests/deployment/deployment-clock.ts';
import type { Watcher } from '../../contract-tests/run/run-suite.ts';

interface State {
  count: number;
  total: number | undefined;
  /** A wait that has begun: its end (in milliseconds since 1970), and its reason. */
  waiting: { until: number; what: string } | undefined;
}

type Progress = Pick<Watcher, 'onSelected' | 'onResult'> & {
  onWait: OnWait;
  /** Deletes the line. */
  clear(): void;
};

/** In CI, and when standard error is not a terminal, only long waits are said. */
export function createProgress(
  stream: NodeJS.WriteStream = process.stderr,
  environment = process.env,
): Progress {
  if (!stream.isTTY || environment.CI) return { onWait: sayWaits(stream), clear: () => {} };
  const state: State = { count: 0, total: undefined, waiting: undefined };
  const draw = () => drawLine(progressLine({ ...state, now: Date.now() }), stream);
  const change = (changed: Partial<State>) => {
    Object.assign(state, changed);
    draw();
  };
  const timer = setInterval(draw, 1_000).unref();
  return {
    onSelected: (total) => change({ total }),
    onResult: () => change({ count: state.count + 1 }),
    onWait: (until, what) => change({ waiting: { until, what } }),
    clear: () => {
      clearInterval(timer);
      drawLine('', stream);
    },
  };
}

/** Draws the line of a terminal anew, no wider than it; an empty text takes it away. */
export function drawLine(text: string, stream: NodeJS.WriteStream = process.stderr): void {
  stream.write(`\r\u001B[K${text.slice(0, Math.max(20, stream.columns - 1))}`);
}

/** Shorter waits are not worth a line. */
const longMs = 5_000;

/** For how long the same wait is not said again. */
const quietMs = 5 * 60_000;

/** Says long waits, so that nobody takes a run for dead that only waits for its turn to log in. */
export function sayWaits(stream: Pick<NodeJS.WriteStream, 'write'> = process.stderr): OnWait {
  const said = new Map<string, number>();
  return (until, what) => {
    const now = Date.now();
    if (until - now < longMs || now - (said.get(what) ?? Number.NEGATIVE_INFINITY) < quietMs) return;
    said.set(what, now);
    stream.write(`sitepub: waiting ${sayTime(until - now)} for ${visible(what)}\n`);
  };
}

/** "12 of 152 checks done, waiting for the retries of a push (34 min left)". */
export function progressLine({ count, total, waiting, now }: State & { now: number }): string {
  const all = total ?? count;
  const done = `${total === undefined ? '' : `${count} of `}${all} check${all === 1 ? '' : 's'} done`;
  if (!waiting || waiting.until <= now) return done;
  return `${done}, waiting for ${visible(waiting.what)} (${sayTime(waiting.until - now)} left)`;
}

/** "61 s", "34 min". */
export function sayTime(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  return seconds > 90 || seconds % 60 === 0 ? `${Math.round(seconds / 60)} min` : `${seconds} s`;
}

/** Does some work that `signal` ends, with a line of progress on the terminal. */
export async function runWithProgress<T>(
  signal: AbortSignal,
  work: (watcher: Watcher) => Promise<T>,
): Promise<T> {
  const progress = createProgress();
  try {
    return await work({ ...progress, signal });
  } finally {
    progress.clear();
  }
}
