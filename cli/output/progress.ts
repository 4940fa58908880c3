// The progress of a run: one line that is redrawn on a terminal, otherwise a line for each long wait.
import { visible } from '../../contract-tests/core/visible-text.ts';
import type { OnWait } from '../../contract-tests/deployment/deployment-clock.ts';
import type { Watcher } from '../../contract-tests/run/run-suite.ts';

interface State {
  count: number;
  total: number | undefined;
  /** `until` is in milliseconds since 1970. */
  waiting: { until: number; what: string } | undefined;
}

type Progress = Pick<Watcher, 'onSelected' | 'onResult'> & {
  onWait: OnWait;
  clear(): void;
};

/** Reports only long waits in CI or without a terminal. */
export function createProgress(
  stream: NodeJS.WriteStream = process.stderr,
  environment = process.env,
): Progress {
  if (!stream.isTTY || environment.CI) return { onWait: reportWaits(stream), clear: () => {} };
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

/** Limits the line to the width of the terminal. An empty text deletes it. */
export function drawLine(text: string, stream: NodeJS.WriteStream = process.stderr): void {
  stream.write(`\r\u001B[K${text.slice(0, Math.max(20, stream.columns - 1))}`);
}

/** Shorter waits are not reported. */
const longMs = 5_000;

/** The same wait is not reported again within this time. */
const quietMs = 5 * 60_000;

/** Reports long waits, so that a run that waits for a login does not look dead. */
export function reportWaits(stream: Pick<NodeJS.WriteStream, 'write'> = process.stderr): OnWait {
  const said = new Map<string, number>();
  return (until, what) => {
    const now = Date.now();
    if (until - now < longMs || now - (said.get(what) ?? Number.NEGATIVE_INFINITY) < quietMs) return;
    said.set(what, now);
    stream.write(`sitepub: waiting ${formatTime(until - now)} for ${visible(what)}\n`);
  };
}

/** "12 of 152 checks done, waiting for the retries of a push (34 min left)". */
export function progressLine({ count, total, waiting, now }: State & { now: number }): string {
  const all = total ?? count;
  const done = `${total === undefined ? '' : `${count} of `}${all} check${all === 1 ? '' : 's'} done`;
  if (!waiting || waiting.until <= now) return done;
  return `${done}, waiting for ${visible(waiting.what)} (${formatTime(waiting.until - now)} left)`;
}

/** "61 s", "34 min". */
export function formatTime(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  return seconds > 90 || seconds % 60 === 0 ? `${Math.round(seconds / 60)} min` : `${seconds} s`;
}

/** Shows progress while `work` runs; `signal` aborts it. */
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
