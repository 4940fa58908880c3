// How many bytes of unfinished bodies all connections together may hold: each alone is within its limit, but there may be thousands.
import { type ApiError, requestTimeout } from './api-errors.ts';

/** In bytes; more than the longest body, a snapshot of a world. */
export const arrivingBound = 96_000_000;

export interface ArrivingBody {
  /** Counts what has arrived. */
  grow(bytes: number): void;
  /** It is complete, or nobody waits for it any more. */
  end(): void;
}

interface Arriving {
  bytes: number;
  giveUp(problem: ApiError): void;
}

const pushedOut = 'too many requests are on their way, and this one was among the oldest; send it again';

/** The oldest first. */
const arriving = new Set<Arriving>();
let total = 0;

/** Counts a body until it ends. Over the bound the oldest ones are given up, since those that are finished soon are not among them. */
export function openArriving(giveUp: (problem: ApiError) => void): ArrivingBody {
  const own: Arriving = { bytes: 0, giveUp };
  arriving.add(own);
  return {
    grow(bytes) {
      if (!arriving.has(own)) return;
      own.bytes += bytes;
      total += bytes;
      for (const oldest of arriving) {
        if (total <= arrivingBound) return;
        forget(oldest);
        oldest.giveUp(requestTimeout(pushedOut));
      }
    },
    end: () => forget(own),
  };
}

function forget(body: Arriving): void {
  if (arriving.delete(body)) total -= body.bytes;
}
