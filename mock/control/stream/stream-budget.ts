// What the streams of all worlds of a mock may take together.
import { refuse } from '../control-error.ts';

const mostListeners = 100;
/** A client with more unread bytes is disconnected. */
const mostUnreadBytes = 1_048_576;
/** Those with most unread bytes go first. */
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
    /** Until it closes. Throws a ControlError where there are too many. */
    admit(listener: Listener): void {
      if (listeners.size >= mostListeners)
        refuse(409, `${mostListeners} listen to the streams of this mock already; end one of them`);
      listeners.add(listener);
      listener.on('close', () => listeners.delete(listener));
    },
    /** Disconnects those who do not read, after something was sent. */
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
