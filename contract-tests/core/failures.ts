// Temporary failures: a retry may succeed.
import type { Exchange } from './exchange.ts';

/** A server error of the service or a gateway, except 501, which a retry does not change. */
export function isFailure({ response: { status } }: Pick<Exchange, 'response'>): boolean {
  return status >= 500 && status !== 501;
}

/** The pauses before retries, in milliseconds. */
export const failurePausesMs = [1_000, 2_000, 4_000] as const;

/** Longer Retry-After values are ignored. */
const longestPauseMs = 15_000;

/** The Retry-After of an answer in milliseconds; 0 if missing or too long. */
export function askedPauseMs({ response }: Pick<Exchange, 'response'>): number {
  const ms = Number(response.headers['retry-after']) * 1_000;
  return ms <= longestPauseMs ? ms : 0;
}
