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
  // An interruption from before would have been missed.
  channel.postMessage('opened');
  return { channel, signal: controller.signal };
}

/** What a run tells of itself on the way. */
export interface ProgressListener {
  /** Called once with the number of checks. */
  onSelected?(count: number): void;
  /** Called when the settings fit, and the checks begin. */
  onBegun?(): void;
  /** Called when a wait begins. */
  onWait?(wait: Wait): void;
}

/** The command's side. */
export function receiveProgress({ onSelected, onBegun, onWait }: ProgressListener): {
  interrupt(): void;
  close(): void;
} {
  let isInterrupted = false;
  const interrupt = () => {
    isInterrupted = true;
    channel.postMessage('interrupt');
  };
  const channel = openChannel((data) => {
    if (data === 'begun') onBegun?.();
    if (data === 'opened' && isInterrupted) interrupt();
    if (typeof data !== 'object' || data === null) return;
    if ('waiting' in data) onWait?.(data.waiting as Wait);
    if ('selected' in data) onSelected?.(data.selected as number);
  });
  return { interrupt, close: () => channel.close() };
}

function openChannel(onData: (data: unknown) => void): BroadcastChannel {
  const channel = new BroadcastChannel('sitepub-suite');
  channel.onmessage = (event) => onData((event as { data: unknown }).data);
  channel.unref();
  return channel;
}
