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
  /** The request body as received, before it is parsed. */
  body: RawBody;
  headers: WebhookHeaders;
  /** The signing secret of the subscription, or several while one replaces another. */
  secret: WebhookSecret;
  /** What the event's identifiers become; by default numbers, and one that a number can't hold is refused. */
  ids?: I;
}

/**
 * Returns the event of a push whose signature is right, or else the reason why it must be rejected.
 * Throws TypeError when there is no secret, or an unknown value of `ids`.
 */
export function verifyWebhook<I extends Ids = 'number'>(
  request: WebhookRequest<I>,
): Promise<Verification<I>> {
  return verify(request);
}

/** The same, but throws WebhookVerificationError, which has the reason. */
export async function verifyWebhookOrThrow<I extends Ids = 'number'>(
  request: WebhookRequest<I>,
): Promise<VerifiedWebhook<I>> {
  const verification = await verify(request);
  if (!verification.ok) throw new WebhookVerificationError(verification);
  return verification;
}
