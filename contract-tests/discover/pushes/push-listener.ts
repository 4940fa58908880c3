// The receiver of a discovery: the suite's, with functions that wait for a push or for a timeout.
import { type Push, type Receiver, startReceiver } from '../../push-receiver/push-receiver.ts';

export interface Listener extends Receiver {
  /** The push that `find` finds, or undefined when it does not arrive within `timeoutMs`. */
  waitUntil(find: () => Push | undefined, timeoutMs: number): Promise<Push | undefined>;
  /** How many milliseconds the sender of an unanswered push waited before it gave up; undefined when that took longer than `timeoutMs`. */
  waitForTimeout(path: string, timeoutMs: number): Promise<number | undefined>;
}

type Options = Parameters<typeof startReceiver>[0] & {
  /** Ends all waits. */
  signal?: AbortSignal | undefined;
};

const pollMs = 10;

/** Starts listening. Throws ReceiverError when it can't. */
export async function startListener({ signal, ...options }: Options): Promise<Listener> {
  const receiver = await startReceiver(options);
  return {
    ...receiver,
    waitUntil: (find, timeoutMs) => poll(find, timeoutMs, signal),
    waitForTimeout: (path, timeoutMs) => poll(() => receiver.gaveUpAfterMs(path), timeoutMs, signal),
  };
}

async function poll<T>(
  read: () => T | undefined,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<T | undefined> {
  const until = Date.now() + timeoutMs;
  let value = read();
  while (value === undefined && Date.now() < until && !signal?.aborted) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    value = read();
  }
  return value;
}
