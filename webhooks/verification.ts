// What is verified of a push, and the results. The declarations of the entrances need no file in which bytes are generic, as they are from TypeScript 5.7 on.
import type { WebhookEvent } from './event.ts';
import type { Ids } from './identifiers.ts';

/** The received body of a push: bytes, or their text in UTF-8. */
export type RawBody = string | ArrayBuffer | ArrayBufferView;

/** Headers of Fetch or Node, or any record; the case of names does not matter. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Why a push is rejected. With the last two its signature is right: `not-an-event`: its body is not an event of section 6.3;
 * `unsafe-integer`: an identifier in it is an integer that a JavaScript number can't hold.
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
  /** Index of the secret that matches; 0 when there is only one. */
  secretIndex: number;
}

export interface RefusedWebhook {
  ok: false;
  reason: Reason;
  /** For people; without secrets and signatures. */
  message: string;
}

export type Verification<I extends Ids = 'number'> = VerifiedWebhook<I> | RefusedWebhook;

/** A rejected push, thrown by `verifyWebhookOrThrow`. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: Reason;

  constructor({ reason, message }: Pick<RefusedWebhook, 'reason' | 'message'>) {
    super(message);
    this.reason = reason;
  }
}

/** Whether the signature is right, whatever else is wrong. */
export function isSigned(verification: Verification<Ids>): boolean {
  return verification.ok || ['not-an-event', 'unsafe-integer'].includes(verification.reason);
}

export function refuse(reason: Reason, message: string): RefusedWebhook {
  return { ok: false, reason, message };
}
