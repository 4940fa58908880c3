import type { Ids } from './identifiers.ts';
import type { WebhookSecret } from './secrets.ts';
import {
  type RawBody,
  type Verification,
  type VerifiedWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
} from './verification.ts';
import { verify } from './verify.ts';

export interface WebhookRequest<I extends Ids = 'number'> {
  /** The body as received, before it is parsed. */
  body: RawBody;
  headers: WebhookHeaders;
  /** The signing secret of the subscription, or several while one replaces another. */
  secret: WebhookSecret;
  /** What identifiers become; default: numbers, and one that a number can't hold is refused. */
  ids?: I;
}

/**
 * Returns the event of a correctly signed push, or why to refuse it.
 * The promise rejects with TypeError without a secret or for an unknown `ids`.
 */
export function verifyWebhook<I extends Ids = 'number'>(
  request: WebhookRequest<I>,
): Promise<Verification<I>> {
  return verify(request);
}

/** Like verifyWebhook, but rejects with WebhookVerificationError, whose `reason` says why. */
export async function verifyWebhookOrThrow<I extends Ids = 'number'>(
  request: WebhookRequest<I>,
): Promise<VerifiedWebhook<I>> {
  const verification = await verify(request);
  if (!verification.ok) throw new WebhookVerificationError(verification);
  return verification;
}
