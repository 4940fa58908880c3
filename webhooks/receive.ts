import type { WebhookEvent } from './event.ts';
import { checkIds, type Ids } from './identifiers.ts';
import {
  type Reason,
  requireSecrets,
  type VerifiedWebhook,
  type WebhookHeaders,
  type WebhookSecret,
  WebhookVerificationError,
} from './verification.ts';
import { verify } from './verify-webhook.ts';

export interface ReceiverOptions<I extends Ids = 'number'> {
  secret: WebhookSecret;
  /** The JavaScript type of identifiers; default: numbers. Pushes with identifiers above 2^53 are then answered 500. */
  ids?: I;
  /** Handles a verified event. The sender gets 200 if it returns, and 500 if it throws; the sender then retries (section 6.5). */
  onEvent(event: WebhookEvent<I>, push: Omit<VerifiedWebhook, 'ok' | 'event'>): void | Promise<void>;
  /** Receives each push that fails verification. */
  onRejected?(error: WebhookVerificationError): void;
  /** The longest accepted body in bytes; default: 1 MiB. The handler answers longer ones with 413. */
  maxBytes?: number;
}

export interface Answer {
  status: number;
  /** JSON. */
  body: string;
}

export const defaultMaxBytes = 1_048_576;
export const tooLarge = answer(413, {
  error: 'too-large',
  message: 'the body is longer than this receiver accepts',
});

const statuses: Readonly<Record<Exclude<Reason, 'wrong-body-type'>, number>> = {
  'missing-header': 401,
  'malformed-header': 401,
  mismatch: 401,
  'not-an-event': 400,
  // The receiver chose `ids`, so the sender made no mistake.
  'unsafe-integer': 500,
};

/** Throws TypeError without a secret or for an unknown `ids`. */
export function checkOptions<I extends Ids>({ secret, ids }: ReceiverOptions<I>): void {
  requireSecrets(secret);
  if (ids !== undefined) checkIds(ids);
}

/** Throws what `onEvent` throws, and WebhookVerificationError if the body is not raw. */
export async function receive<I extends Ids>(
  request: { body: unknown; headers: WebhookHeaders },
  { secret, ids, onEvent, onRejected }: ReceiverOptions<I>,
): Promise<Answer> {
  const verification = await verify({ ...request, secret, ...(ids && { ids }) });
  if (verification.ok) {
    const { event, idempotencyKey, secretIndex } = verification;
    await onEvent(event, { idempotencyKey, secretIndex });
    return answer(200, { received: true });
  }
  const error = new WebhookVerificationError(verification);
  onRejected?.(error);
  const { reason, message } = verification;
  // A mistake in the receiver's set-up, not in the push.
  if (reason === 'wrong-body-type') throw error;
  return answer(statuses[reason], { error: reason, message });
}

function answer(status: number, body: object): Answer {
  return { status, body: JSON.stringify(body) };
}
