// Published declarations must not import a file with `Uint8Array<ArrayBuffer>`, which TypeScript before 5.7 does not know.
import type { WebhookEvent } from './event.ts';
import type { Ids } from './identifiers.ts';

/** The unparsed body of a push: bytes, or a UTF-8 text. */
export type RawBody = string | ArrayBuffer | ArrayBufferView;

/** Headers of Fetch or Node, or a record; names are case-insensitive. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Why a push is rejected. With the last two, the signature is correct. `not-an-event`: the body is not an event of section 6.3.
 * `unsafe-integer`: a JavaScript number cannot represent an identifier exactly.
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
  /** SHA-256 of the body in hex, the same for every attempt of a delivery (pushes have no ids). */
  idempotencyKey: string;
  /** Index of the secret that matches; 0 if there is only one. */
  secretIndex: number;
}

export interface RefusedWebhook {
  ok: false;
  reason: Reason;
  /** For logs; contains no secrets or signatures. */
  message: string;
}

export type Verification<I extends Ids = 'number'> = VerifiedWebhook<I> | RefusedWebhook;

/** A rejected push: `verifyWebhookOrThrow` throws it, `onRejected` receives it. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: Reason;

  constructor({ reason, message }: Pick<RefusedWebhook, 'reason' | 'message'>) {
    super(message);
    this.reason = reason;
  }
}

/** Returns true also if a push is rejected for another reason than its signature. */
export function isSigned(verification: Verification<Ids>): boolean {
  return verification.ok || ['not-an-event', 'unsafe-integer'].includes(verification.reason);
}

export function refuse(reason: Reason, message: string): RefusedWebhook {
  return { ok: false, reason, message };
}

/** One signing secret, or several while one replaces another. */
export type WebhookSecret = string | readonly string[];

/** Throws TypeError without a secret, or if one is empty. */
export function requireSecrets(secret: WebhookSecret): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (!Array.isArray(secrets) || secrets.length === 0 || !secrets.every(isSecret))
    throw new TypeError(
      'verifying webhooks needs the signing secret of the subscription, a non-empty text; check the environment variable',
    );
  return secrets;
}

function isSecret(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
