// Shared by the adapters: turns a push into an answer.
import type { WebhookEvent } from './event.ts';
import { checkIds, type Ids } from './identifiers.ts';
import { requireSecrets, type WebhookSecret } from './secrets.ts';
import {
  type Reason,
  type VerifiedWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
} from './verification.ts';
import { verify } from './verify.ts';

export interface ReceiverOptions<I extends Ids = 'number'> {
  secret: WebhookSecret;
  /** What the identifiers of events become; by default numbers, and one that a number can't hold is refused. */
  ids?: I;
  /** Handles a verified event. When it returns, the sender is answered 200; when it throws, 500, and the push is repeated. */
  onEvent(event: WebhookEvent<I>, push: Omit<VerifiedWebhook, 'ok' | 'event'>): void | Promise<void>;
  /** Called for each rejected push. */
  onRejected?(error: WebhookVerificationError): void;
  /** The longest accepted body; 1 MiB by default. */
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
  // The sender has done nothing wrong.
  'unsafe-integer': 500,
};

/** Throws TypeError for options that nothing can be verified with. */
export function checkOptions<I extends Ids>({ secret, ids }: ReceiverOptions<I>): void {
  requireSecrets(secret);
  if (ids !== undefined) checkIds(ids);
}

/** Verifies a push and passes its event to `onEvent`. Throws what `onEvent` throws. */
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
  // A mistake in the set-up of the receiver, not of the sender.
  if (reason === 'wrong-body-type') throw error;
  return answer(statuses[reason], { error: reason, message });
}

function answer(status: number, body: object): Answer {
  return { status, body: JSON.stringify(body) };
}
