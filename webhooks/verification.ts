// What comes out of verifying a push.
import type { WebhookEvent } from './event.ts';

/** Why a push is not taken. `not-an-event`: its signature is right, but its body is no event of section 6.3. */
export type Reason = 'wrong-body-type' | 'missing-header' | 'malformed-header' | 'mismatch' | 'not-an-event';

export interface VerifiedWebhook {
  ok: true;
  event: WebhookEvent;
  /** SHA-256 of the body in hex: the same for every attempt to deliver a push, which bears no id of its own. */
  idempotencyKey: string;
  /** Which of several secrets has signed it; 0 where there is one. */
  secretIndex: number;
}

export interface RefusedWebhook {
  ok: false;
  reason: Reason;
  /** For people. Holds neither secrets nor signatures. */
  message: string;
}

export type Verification = VerifiedWebhook | RefusedWebhook;

/** A push that is not taken, thrown by who would rather catch than ask. */
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
