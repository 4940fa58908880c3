import type { Ids } from './identifiers.ts';
import {
  type RawBody,
  type Verification,
  type VerifiedWebhook,
  type WebhookHeaders,
  type WebhookSecret,
  WebhookVerificationError,
} from './verification.ts';
import { verify } from './verify.ts';

export interface WebhookRequest<I extends Ids = 'number'> {
  /** The raw body as received, before any parser. */
  body: RawBody;
  headers: WebhookHeaders;
  /** The signing secret of the subscription, or several while one replaces another. */
  secret: WebhookSecret;
  /** The JavaScript type of identifiers; default: numbers. Pushes with identifiers above 2^53 are then refused. */
  ids?: I;
}

/**
 * Returns the event of a correctly signed push, or the reason to refuse it (section 6.4).
 * Rejects with TypeError without a secret or for an unknown `ids`.
 */
export function verifyWebhook<I extends Ids = 'number'>(
  request: WebhookRequest<I>,
): Promise<Verification<I>> {
  return verify(request);
}

/** Like verifyWebhook, but rejects with WebhookVerificationError if the push must be refused. */
export async function verifyWebhookOrThrow<I extends Ids = 'number'>(
  request: WebhookRequest<I>,
): Promise<VerifiedWebhook<I>> {
  const verification = await verify(request);
  if (!verification.ok) throw new WebhookVerificationError(verification);
  return verification;
}
