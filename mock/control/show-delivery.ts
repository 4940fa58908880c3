// Deliveries and their attempts as they are shown: as notes in lists and logs, or as a whole. Addresses are without what gives access to them.
import type { Schemas } from '../../openapi/generated/control-types.ts';
import type { Profile } from '../../openapi/profile.ts';
import { isSignedBy } from '../inbox/secrets.ts';
import { nextRetryAt } from '../webhooks/delivery-steps.ts';
import type { Attempt, Delivery } from '../world/entries.ts';
import { isoTime } from '../world/time.ts';
import { redactAddress, redactHeaders, redactText } from './redact-request.ts';

/** The attempts say whether their signatures fit, where a secret is given. */
export function showDelivery(delivery: Delivery, secret?: string): Schemas['Delivery'] {
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

/** Without headers and bodies, and with the times of the attempts to come. */
export function noteDelivery(profile: Profile, delivery: Delivery): Schemas['DeliveryNote'] {
  return {
    id: delivery.id,
    site_id: delivery.siteId,
    subscription_id: delivery.subscriptionId,
    event: delivery.event,
    channel: delivery.channel,
    created_at: isoTime(delivery.createdAt),
    url: redactAddress(delivery.url),
    state: delivery.state,
    attempts: delivery.attempts.map(noteAttempt),
    planned: plannedTimes(delivery, profile).map(isoTime),
  };
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

type Push = Schemas['Delivery'];

/** An attempt to deliver a push, without headers and bodies, and what comes next. */
export interface PushNote
  extends Pick<Push, 'event' | 'channel' | 'site_id' | 'url' | 'state' | 'next_attempt_at'>,
    Omit<Schemas['Attempt'], 'request_headers' | 'answer'> {
  type: 'push';
  delivery_id: number;
}

/** What a delivery is after an attempt, which may be different at the next one. */
export type AfterAttempt = Pick<Delivery, 'state' | 'nextAttemptAt'> & { number: number };

export function notePush(
  { id, event, channel, siteId, url }: Delivery,
  { cause, at, outcome, durationMs }: Attempt,
  { state, nextAttemptAt, number }: AfterAttempt,
): PushNote {
  return {
    type: 'push',
    delivery_id: id,
    event,
    channel,
    site_id: siteId,
    url: redactAddress(url),
    number,
    cause,
    at: isoTime(at),
    ...('error' in outcome ? { error: redactText(outcome.error) } : { status: outcome.status }),
    ...('refusal' in outcome && outcome.refusal !== undefined && { refusal: redactText(outcome.refusal) }),
    duration_ms: durationMs,
    state,
    ...(nextAttemptAt !== undefined && { next_attempt_at: isoTime(nextAttemptAt) }),
  };
}
