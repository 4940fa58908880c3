// A line on the terminal with the progress of a run, and what it waits for.
import type { Wait } from '../../contract-tests/run/progress-messages.ts';
import type { Watcher } from '../../contract-tests/run/run-in-vitest.ts';

interface Progress extends Pick<Watcher, 'onResult' | 'onWait'> {
  /** Deletes the line. */
  clear(): void;
}

/** Prints nothing in CI, and when standard error is not a terminal. */
export function createProgress(
  stream: NodeJS.WriteStream = process.stderr,
  environment = process.env,
): Progress {
  if (!stream.isTTY || environment.CI) return { clear: () => {} };
  let count = 0;
  let waiting: Wait | undefined;
  const draw = () => {
    const line = progressLine({ count, waiting, now: Date.now() });
    stream.write(`\r\u001B[K${line.slice(0, Math.max(20, stream.columns - 1))}`);
  };
  const timer = setInterval(draw, 1_000).unref();
  return {
    onResult: () => {
      count++;
      draw();
    },
    onWait: (next) => {
      waiting = next;
      draw();
    },
    clear: () => {
      clearInterval(timer);
      stream.write('\r\u001B[K');
    },
  };
}

interface State {
  count: number;
  waiting: Wait | undefined;
  now: number;
}

/** "12 checks done, waiting for the retries of a push (34 min left)". */
export function progressLine({ count, waiting, now }: State): string {
  const done = `${count} check${count === 1 ? '' : 's'} done`;
  if (!waiting || waiting.until <= now) return done;
  const seconds = Math.ceil((waiting.until - now) / 1_000);
  const left = seconds > 90 ? `${Math.round(seconds / 60)} min` : `${seconds} s`;
  return `${done}, waiting for ${waiting.what} (${left} left)`;
}
