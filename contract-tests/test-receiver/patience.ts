// How long a run waits for a receiver that bounds the rate of pushes.
import { setTimeout as sleep } from 'node:timers/promises';

export interface Patience {
  /** The pauses for one push. */
  forOne(): Pauses;
}

interface Pauses {
  /** Waits as long as the answer asks for, or twice as long as before. Returns false, and does not wait, when there is no patience left. */
  pause(retryAfter: string | undefined): Promise<boolean>;
}

/** With the usual timeout of ten seconds there is patience for two whole minutes in a run, and for one with a single push. */
export function createPatience(timeoutMs: number, wait: (ms: number) => Promise<unknown> = sleep): Patience {
  const mostForOneMs = 6.5 * timeoutMs;
  let leftMs = 2 * mostForOneMs;
  return {
    forOne: () => {
      let leftForOneMs = mostForOneMs;
      let nextMs = Math.min(1_000, timeoutMs);
      return {
        pause: async (retryAfter = '') => {
          const wantedMs = /^\d{1,5}$/.test(retryAfter) ? Number(retryAfter) * 1_000 : nextMs;
          const ms = Math.min(Math.max(1, wantedMs), leftForOneMs, leftMs);
          if (ms <= 0) return false;
          nextMs *= 2;
          leftForOneMs -= ms;
          leftMs -= ms;
          await wait(ms);
          return true;
        },
      };
    },
  };
}
