// Whether the answer to a generated case is as promised.
import type { ErrorKind } from '../../../openapi/error-codes.ts';
import { expectRefusal, expectSuccess } from '../../calls/expect-answer.ts';
import type { Context } from '../../context.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { createObservations } from '../../deployment/gap-observations.ts';

/** Throws PromiseBroken unless the deployment refused the request. How it words the refusal of an odd mistake says nothing of a gap. */
export function requireRefusal(
  context: Context,
  exchange: Exchange,
  refusal: { what: string; kind: ErrorKind },
): void {
  expectRefusal({ ...context, observations: createObservations(context.profile) }, exchange, refusal);
}

export interface Valid {
  what: string;
  send(): Promise<Exchange>;
  /** Sends what differs from it only in what the check is about, and must have passed; throws where nothing passes any more. */
  sendTwin(): Promise<Exchange>;
}

/**
 * Throws PromiseBroken where a valid request is refused, its twin is not, and it is refused again: limits that nobody knows of end
 * and begin at any time. That the twin is refused too is another promise's matter.
 */
export async function requireSuccess(context: Context, { what, send, sendTwin }: Valid): Promise<void> {
  if (succeeded(await send()) || !succeeded(await sendTwin())) return;
  const again = await send();
  expectSuccess(context, again, what);
}
