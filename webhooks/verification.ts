// Published declarations must not import a file with `Uint8Array<ArrayBuffer>`, which is generic only from TypeScript 5.7 on.
import type { WebhookEvent } from './event.ts';
import type { Ids } from './identifiers.ts';

/** The body of a push as received: bytes, or their text in UTF-8. */
export type RawBody = string | ArrayBuffer | ArrayBufferView;

/** Headers of Fetch or Node, or any record; the case of names does not matter. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Why a push is rejected. Its signature is right with `not-an-event`, a body that is no event of section 6.3, and with
 * `unsafe-integer`, an identifier that a JavaScript number can't hold.
 */
export type Reason =
  | 'wrong-body-type'
  | 'missing-header'
  | 'malformed-header'
  | 'mismatch'
  | 'not-an-event'
  | 'unsafe-integer';

export interface VerifiedWebhook<I extends Ids = 'number'> {
  ok: true;
  event: WebhookEvent<I>;
  /** SHA-256 of the body in hex, the same for every attempt to deliver a push; pushes have no ids. */
  idempotencyKey: string;
  /** Index of the secret that matches; 0 if there is only one. */
  secretIndex: number;
}

export interface RefusedWebhook {
  ok: false;
  reason: Reason;
  /** For people; contains no secrets and no signatures. */
  message: string;
}

export type Verification<I extends Ids = 'number'> = VerifiedWebhook<I> | RefusedWebhook;

/** A rejected push, thrown by `verifyWebhookOrThrow` and passed to `onRejected`. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: Reason;

  constructor({ reason, message }: Pick<RefusedWebhook, 'reason' | 'message'>) {
    super(message);
    this.reason = reason;
  }
}

/** True also for a push that is rejected for another reason than its signature. */
export function isSigned(verification: Verification<Ids>): boolean {
  return verification.ok || ['not-an-event', 'unsafe-integer'].includes(verification.reason);
}

export function refuse(reason: Reason, message: string): RefusedWebhook {
  return { ok: false, reason, message };
}
