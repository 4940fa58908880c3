import { refuse } from '../control-error.ts';

const mostListeners = 100;
/** A client with more unread bytes is disconnected. */
const mostUnreadBytes = 1_048_576;
/** Above this sum, clients with the most unread bytes are disconnected first. */
const mostUnreadTogether = 32 * mostUnreadBytes;

interface Listener {
  readonly writableLength: number;
  destroy(): unknown;
  on(event: 'close', act: () => void): unknown;
}

export type StreamBudget = ReturnType<typeof createStreamBudget>;

export function createStreamBudget() {
  const listeners = new Set<Listener>();
  return {
    /** Throws a ControlError if there are too many. */
    admit(listener: Listener): void {
      if (listeners.size >= mostListeners)
        refuse(409, `the streams of this mock have ${mostListeners} listeners already; close one of them`);
      listeners.add(listener);
      listener.on('close', () => listeners.delete(listener));
    },
    /** Disconnects clients that do not read. To be called after each write. */
    settle(): void {
      const slowest = [...listeners].sort((one, other) => other.writableLength - one.writableLength);
      let together = slowest.reduce((sum, { writableLength }) => sum + writableLength, 0);
      for (const listener of slowest) {
        const { writableLength: unread } = listener;
        if (unread <= mostUnreadBytes && together <= mostUnreadTogether) return;
        together -= unread;
        listener.destroy();
      }
    },
  };
}
