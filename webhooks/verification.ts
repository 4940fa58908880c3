// The results of verifying a push.
import type { WebhookEvent } from './event.ts';

/** Why a push is rejected. `not-an-event`: its signature is right, but its body is not an event of section 6.3. */
export type Reason = 'wrong-body-type' | 'missing-header' | 'malformed-header' | 'mismatch' | 'not-an-event';

export interface VerifiedWebhook {
  ok: true;
  event: WebhookEvent;
  /** SHA-256 of the body in hex, the same for every attempt to deliver a push; pushes have no ids. */
  idempotencyKey: string;
  /** Index of the secret that matches; 0 when there is only one. */
  secretIndex: number;
}

export interface RefusedWebhook {
  ok: false;
  reason: Reason;
  /** For people; without secrets and signatures. */
  message: string;
}

export type Verification = VerifiedWebhook | RefusedWebhook;

/** A rejected push, thrown by `verifyWebhookOrThrow`. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: Reason;

  constructor({ reason, message }: Pick<RefusedWebhook, 'reason' | 'message'>) {
    super(message);
    this.reason = reason;
  }
}

export function refuse(reason: Reason, message: string): RefusedWebhook {
  return { ok: false, reason, message };
}
