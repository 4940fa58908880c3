// Messages between the command and the thread that runs the checks.
import { BroadcastChannel } from 'node:worker_threads';

const name = 'sitepub-suite';

/** A wait that has begun: its end (in milliseconds since 1970), and its reason. */
export interface Wait {
  until: number;
  what: string;
}

/** The thread's side: it posts waits on the channel, and `signal` ends the run. */
export function openProgressChannel(): { channel: BroadcastChannel; signal: AbortSignal } {
  const controller = new AbortController();
  const channel = new BroadcastChannel(name);
  channel.onmessage = (event) => {
    if ((event as { data: unknown }).data === 'interrupt') controller.abort();
  };
  channel.unref();
  return { channel, signal: controller.signal };
}

interface ProgressReceiver {
  interrupt(): void;
  close(): void;
}

/** The command's side. */
export function receiveProgress(onWait: (wait: Wait) => void): ProgressReceiver {
  const channel = new BroadcastChannel(name);
  channel.onmessage = (event) => {
    const { data } = event as { data: unknown };
    if (typeof data === 'object' && data !== null && 'waiting' in data) onWait(data.waiting as Wait);
  };
  channel.unref();
  return { interrupt: () => channel.postMessage('interrupt'), close: () => channel.close() };
}
