// Messages between the command and the thread that runs the checks.
import { BroadcastChannel } from 'node:worker_threads';

/** A wait that has begun: its end (in milliseconds since 1970), and its reason. */
export interface Wait {
  until: number;
  what: string;
}

/** The thread's side: it posts waits on the channel, and `signal` ends the run. */
export function openProgressChannel(): { channel: BroadcastChannel; signal: AbortSignal } {
  const controller = new AbortController();
  const channel = openChannel((data) => {
    if (data === 'interrupt') controller.abort();
  });
  return { channel, signal: controller.signal };
}

/** The command's side. */
export function receiveProgress(onWait: (wait: Wait) => void): { interrupt(): void; close(): void } {
  const channel = openChannel((data) => {
    if (typeof data === 'object' && data !== null && 'waiting' in data) onWait(data.waiting as Wait);
  });
  return { interrupt: () => channel.postMessage('interrupt'), close: () => channel.close() };
}

function openChannel(onData: (data: unknown) => void): BroadcastChannel {
  const channel = new BroadcastChannel('sitepub-suite');
  channel.onmessage = (event) => onData((event as { data: unknown }).data);
  channel.unref();
  return channel;
}
