// Failures of a deployment, or of something in front of it: the same call, made a little later, may be answered otherwise.
import type { Exchange } from './exchange.ts';

/** Whether the service, or something in front of it, has failed. What is not implemented (501) will not be a moment later. */
export function isFailure({ response: { status } }: Pick<Exchange, 'response'>): boolean {
  return status >= 500 && status !== 501;
}

/** After these times, in milliseconds, a call is made again that failed. */
export const failurePausesMs = [1_000, 2_000, 4_000] as const;

/** The longest time that an answer may ask to wait; a longer one is not waited for. */
const longestPauseMs = 15_000;

/** How long an answer asks to wait, in milliseconds; 0 where it does not, or asks for too long. */
export function askedPauseMs({ response }: Pick<Exchange, 'response'>): number {
  const ms = Number(response.headers['retry-after']) * 1_000;
  return ms <= longestPauseMs ? ms : 0;
}
