// What the command and the thread that runs the checks tell one another while the run lasts.
import { BroadcastChannel } from 'node:worker_threads';

const name = 'sitepub-suite';

/** A wait that has begun: until when (milliseconds since 1970), and what for. */
export interface Waiting {
  until: number;
  what: string;
}

/** The thread's end: waits are told to it, and `signal` ends the run. */
export function openProgressChannel(): { channel: BroadcastChannel; signal: AbortSignal } {
  const controller = new AbortController();
  const channel = new BroadcastChannel(name);
  channel.onmessage = (event) => {
    if ((event as { data: unknown }).data === 'interrupt') controller.abort();
  };
  channel.unref();
  return { channel, signal: controller.signal };
}

export interface ProgressReceiver {
  interrupt(): void;
  close(): void;
}

/** The command's end. */
export function receiveProgress(onWait: (waiting: Waiting) => void): ProgressReceiver {
  const channel = new BroadcastChannel(name);
  channel.onmessage = (event) => {
    const { data } = event as { data: unknown };
    if (typeof data === 'object' && data !== null && 'waiting' in data) onWait(data.waiting as Waiting);
  };
  channel.unref();
  return { interrupt: () => channel.postMessage('interrupt'), close: () => channel.close() };
}
