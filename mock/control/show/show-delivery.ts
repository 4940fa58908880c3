import type { Schemas } from '../../../openapi/generated/control-types.ts';
import type { Profile } from '../../../openapi/profile.ts';
import { isSignedBy } from '../../inbox/inbox-request.ts';
import { nextRetryAt } from '../../webhooks/delivery-steps.ts';
import type { Attempt, Delivery } from '../../world/entries.ts';
import { isoTime } from '../../world/time.ts';
import { redactAddress, redactHeaders, redactText } from '../redact-request.ts';
import { show } from './show.ts';

/** With a secret, each attempt says whether its signature is valid. */
export function showDelivery(delivery: Delivery, secret?: string): Schemas['Delivery'] {
  const { id, siteId, subscriptionId, event, channel, isTest, createdAt } = delivery;
  const { body, signature, state, nextAttemptAt } = delivery;
  const attempts = delivery.attempts.map((attempt, index) => ({
    ...showAttempt(attempt, index + 1),
    ...(secret !== undefined && { signature_fits: isSigned(attempt, secret, body) }),
  }));
  const url = redactAddress(delivery.url);
  const sent = { id, siteId, subscriptionId, event, channel, isTest, createdAt, url, body, signature };
  return show({ ...sent, state, nextAttemptAt, attempts });
}

function isSigned({ requestHeaders }: Attempt, secret: string, body: string): boolean {
  const headers = Object.entries(requestHeaders);
  const [, signature] = headers.find(([name]) => name.toLowerCase() === 'x-webhook-signature') ?? [];
  return isSignedBy(secret, Buffer.from(body), signature);
}

export function showCausedAttempt(
  { id, event, attempts }: Delivery,
  attempt: Attempt,
): Schemas['MovedClock']['attempts'][number] {
  return { delivery_id: id, event, ...showAttempt(attempt, attempts.indexOf(attempt) + 1) };
}

type Outcome = { status?: number } & Partial<Record<'body' | 'refusal' | 'error', string>>;

function showAttempt(attempt: Attempt, number: number): Schemas['Attempt'] {
  const { cause, at, durationMs } = attempt;
  const { error, status, body: answer, refusal }: Outcome = attempt.outcome;
  const requestHeaders = redactHeaders(attempt.requestHeaders);
  return show({ number, cause, at, requestHeaders, error, status, answer, refusal, durationMs });
}

export function noteDelivery(profile: Profile, delivery: Delivery): Schemas['DeliveryNote'] {
  const { id, siteId, subscriptionId, event, channel, createdAt, state } = delivery;
  const url = redactAddress(delivery.url);
  const attempts = delivery.attempts.map(noteAttempt);
  const planned = plannedTimes(delivery, profile).map(isoTime);
  return show({ id, siteId, subscriptionId, event, channel, createdAt, url, state, attempts, planned });
}

function noteAttempt({ at, cause, outcome }: Attempt): Schemas['DeliveryNote']['attempts'][number] {
  const { status, refusal }: Outcome = outcome;
  const isSuccess = status !== undefined && status >= 200 && status <= 299;
  return show({ at, cause, ok: isSuccess && refusal === undefined, status });
}

/** When the remaining attempts are due if each one fails, in milliseconds since 1970. */
function plannedTimes(delivery: Delivery, profile: Profile): number[] {
  const times: number[] = [];
  if (delivery.state !== 'pending') return times;
  const isFirst = delivery.attempts.every(({ cause }) => cause === 'redelivery');
  let at: number | undefined = delivery.nextAttemptAt ?? (isFirst ? delivery.createdAt : undefined);
  const firstAttemptAt = delivery.firstAttemptAt ?? at ?? 0;
  for (let retries = delivery.retries + (isFirst ? 0 : 1); at !== undefined; retries++) {
    times.push(at);
    at = nextRetryAt({ ...delivery, retries, firstAttemptAt }, at, profile);
  }
  return times;
}

export type PushNote = ReturnType<typeof notePush>;

/** The attempt must be the latest of the delivery. */
export function notePush(delivery: Delivery, { cause, at, outcome, durationMs }: Attempt) {
  const { id: deliveryId, event, channel, siteId, state, nextAttemptAt } = delivery;
  const push = { deliveryId, event, channel, siteId, url: redactAddress(delivery.url) };
  const { status, error, refusal }: Outcome = outcome;
  const texts = { error: error && redactText(error), refusal: refusal && redactText(refusal) };
  const made = { number: delivery.attempts.length, cause, at, status, ...texts, durationMs };
  return show({ type: 'push', ...push, ...made, state, nextAttemptAt } as const);
}
