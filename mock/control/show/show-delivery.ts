// Deliveries and their attempts as they are shown: as notes in lists and logs, or as a whole. Addresses are without what gives access to them.
import type { Schemas } from '../../../openapi/generated/control-types.ts';
import type { Profile } from '../../../openapi/profile.ts';
import { isSignedBy } from '../../inbox/inbox-request.ts';
import { nextRetryAt } from '../../webhooks/delivery-steps.ts';
import type { Attempt, Delivery } from '../../world/entries.ts';
import { isoTime } from '../../world/time.ts';
import { redactAddress, redactHeaders, redactText } from '../redact-request.ts';
import { show } from './show.ts';

/** The attempts say whether their signatures fit, where a secret is given. */
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

export function showCausedAttempt(
  { id, event, attempts }: Delivery,
  attempt: Attempt,
): Schemas['MovedClock']['attempts'][number] {
  return { delivery_id: id, event, ...showAttempt(attempt, attempts.indexOf(attempt) + 1) };
}

function showAttempt(
  { cause, at, requestHeaders, outcome, durationMs }: Attempt,
  number: number,
): Schemas['Attempt'] {
  const answered =
    'error' in outcome ? outcome : { status: outcome.status, answer: outcome.body, refusal: outcome.refusal };
  return show({ number, cause, at, requestHeaders: redactHeaders(requestHeaders), ...answered, durationMs });
}

function isSigned({ requestHeaders }: Attempt, secret: string, body: string): boolean {
  const headers = Object.entries(requestHeaders);
  const [, signature] = headers.find(([name]) => name.toLowerCase() === 'x-webhook-signature') ?? [];
  return isSignedBy(secret, Buffer.from(body), signature);
}

/** Without headers and bodies, and with the times of the attempts to come. */
export function noteDelivery(profile: Profile, delivery: Delivery): Schemas['DeliveryNote'] {
  const { id, siteId, subscriptionId, event, channel, createdAt, state } = delivery;
  const url = redactAddress(delivery.url);
  const attempts = delivery.attempts.map(noteAttempt);
  const planned = plannedTimes(delivery, profile).map(isoTime);
  return show({ id, siteId, subscriptionId, event, channel, createdAt, url, state, attempts, planned });
}

function noteAttempt({ at, cause, outcome }: Attempt): Schemas['DeliveryNote']['attempts'][number] {
  if ('error' in outcome) return { at: isoTime(at), cause, ok: false };
  const { status, refusal } = outcome;
  return { at: isoTime(at), cause, ok: status >= 200 && status <= 299 && refusal === undefined, status };
}

/** When the attempts to come are due, should each of them fail. */
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

/** An attempt to deliver a push, without headers and bodies, and what comes next. */
export interface PushNote
  extends Pick<Schemas['Delivery'], 'event' | 'channel' | 'site_id' | 'url' | 'state' | 'next_attempt_at'>,
    Omit<Schemas['Attempt'], 'request_headers' | 'answer'> {
  type: 'push';
  delivery_id: number;
}

/** Reads the delivery as it is after this attempt, its last one so far. */
export function notePush(
  { id: deliveryId, event, channel, siteId, url, attempts, state, nextAttemptAt }: Delivery,
  { cause, at, outcome, durationMs }: Attempt,
): PushNote {
  const push = { deliveryId, event, channel, siteId, url: redactAddress(url), number: attempts.length };
  const { refusal, ...result } =
    'error' in outcome
      ? { error: redactText(outcome.error), refusal: undefined }
      : { status: outcome.status, refusal: outcome.refusal && redactText(outcome.refusal) };
  const made = { cause, at, ...result, refusal, durationMs, state, nextAttemptAt };
  return show({ type: 'push', ...push, ...made } as const);
}
