// What the adapters have in common: a push in, an answer out.
import type { WebhookEvent } from './event.ts';
import type { WebhookHeaders } from './read-signature.ts';
import type { WebhookSecret } from './secrets.ts';
import { type Reason, type VerifiedWebhook, WebhookVerificationError } from './verification.ts';
import { verify } from './verify.ts';

export interface ReceiverOptions {
  secret: WebhookSecret;
  /** Takes a verified event. Once it is done the sender is answered 200; where it throws, 500, and the push comes again. */
  onEvent(event: WebhookEvent, push: Omit<VerifiedWebhook, 'ok' | 'event'>): void | Promise<void>;
  /** Told of each push that is not taken. */
  onRejected?(error: WebhookVerificationError): void;
  /** The longest body that is read; 1 MiB unless given. */
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
  message: 'the body is longer than this receiver takes',
});

const statuses: Readonly<Record<Exclude<Reason, 'wrong-body-type'>, number>> = {
  'missing-header': 401,
  'malformed-header': 401,
  mismatch: 401,
  'not-an-event': 400,
};

/** Verifies a push and hands on its event. Throws what `onEvent` throws. */
export async function receive(
  request: { body: unknown; headers: WebhookHeaders },
  { secret, onEvent, onRejected }: ReceiverOptions,
): Promise<Answer> {
  const verification = await verify({ ...request, secret });
  if (verification.ok) {
    const { event, idempotencyKey, secretIndex } = verification;
    await onEvent(event, { idempotencyKey, secretIndex });
    return answer(200, { received: true });
  }
  const error = new WebhookVerificationError(verification);
  onRejected?.(error);
  const { reason, message } = verification;
  // The mistake of whoever set the receiver up, not of the sender.
  if (reason === 'wrong-body-type') throw error;
  return answer(statuses[reason], { error: reason, message });
}

function answer(status: number, body: object): Answer {
  return { status, body: JSON.stringify(body) };
}
