// Whether the answer to a generated case is as promised.
import type { ErrorKind } from '../../../openapi/error-codes.ts';
import { expectSuccess } from '../../calls/expect-answer.ts';
import type { Context } from '../../context.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { createObservations } from '../../deployment/gap-observations.ts';
import type { RemarkId } from '../../deployment/remarks.ts';
import { expectRefusalOrRemark } from '../../subscriptions/lenient-values.ts';

/** Throws PromiseBroken unless the deployment refused the request, or accepted it in a way that is a remark only. The status and code of such a refusal prove nothing about gaps. */
export function requireRefusal(
  context: Context,
  exchange: Exchange,
  { remark, ...refusal }: { what: string; kind: ErrorKind; remark?: RemarkId | undefined },
): void {
  const apart = { ...context, observations: createObservations(context.profile) };
  expectRefusalOrRemark(apart, exchange, { ...refusal, remark });
}

interface ValidRequest {
  what: string;
  send(): Promise<Exchange>;
  /** Sends a request that differs only in the subject of the check and must be accepted. Throws where nothing is accepted any more. */
  sendCounterpart(): Promise<Exchange>;
  /** Sends the request at any later time, where `send` needs something that is there for a moment only. */
  sendLater?(): Promise<Exchange>;
}

/**
 * Throws PromiseBroken where a valid request is refused, its counterpart is accepted, and the request is refused again: unknown limits
 * may begin and end at any time. Returns whether the request was accepted: where its counterpart is refused too, other checks cover that.
 */
export async function requireSuccess(
  context: Context,
  { what, send, sendCounterpart: sendTwin, sendLater = send }: ValidRequest,
): Promise<boolean> {
  if (succeeded(await send())) return true;
  if (!succeeded(await sendTwin())) return false;
  const again = await send();
  expectSuccess(context, again, what, { again: sendLater, plain: sendTwin });
  return true;
}
