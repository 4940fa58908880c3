import { isSignedBy } from '../inbox/secrets.ts';
import type { Attempt, Delivery } from '../world/entries.ts';
import { isoTime } from '../world/time.ts';
import type { AttemptView, CausedAttemptView, DeliveryView } from './control-views.ts';
import { redactAddress, redactHeaders } from './redact-request.ts';

/** The attempts say whether their signatures fit, where a secret is given. */
export function showDelivery(delivery: Delivery, secret?: string): DeliveryView {
  const { id, event, channel, isTest, body, signature, state, nextAttemptAt, attempts } = delivery;
  return {
    id,
    site_id: delivery.siteId,
    subscription_id: delivery.subscriptionId,
    event,
    channel,
    is_test: isTest,
    created_at: isoTime(delivery.createdAt),
    url: redactAddress(delivery.url),
    body,
    ...(signature !== undefined && { signature }),
    state,
    ...(nextAttemptAt !== undefined && { next_attempt_at: isoTime(nextAttemptAt) }),
    attempts: attempts.map((attempt, index) => ({
      ...showAttempt(attempt, index + 1),
      ...(secret !== undefined && { signature_fits: isSigned(attempt, secret, body) }),
    })),
  };
}

export function showCausedAttempt({ id, event, attempts }: Delivery, attempt: Attempt): CausedAttemptView {
  return { delivery_id: id, event, ...showAttempt(attempt, attempts.indexOf(attempt) + 1) };
}

function showAttempt(
  { cause, at, requestHeaders, outcome, durationMs }: Attempt,
  number: number,
): AttemptView {
  return {
    number,
    cause,
    at: isoTime(at),
    request_headers: redactHeaders(requestHeaders),
    ...('error' in outcome ? { error: outcome.error } : showAnswer(outcome)),
    duration_ms: durationMs,
  };
}

function isSigned({ requestHeaders }: Attempt, secret: string, body: string): boolean {
  const headers = Object.entries(requestHeaders);
  const [, signature] = headers.find(([name]) => name.toLowerCase() === 'x-webhook-signature') ?? [];
  return isSignedBy(secret, Buffer.from(body), signature);
}

function showAnswer({ status, body, refusal }: { status: number; body: string; refusal?: string }) {
  return { status, answer: body, ...(refusal !== undefined && { refusal }) };
}
