// The entrance `sitepub/webhooks`: web standards only, for Node, Bun, Deno and edge runtimes alike.
export type { EventName, PublishCompleteData, WebhookEvent } from './event.ts';
export { createFetchHandler } from './fetch.ts';
export type { IdOf, Ids } from './identifiers.ts';
export type { WebhookHeaders } from './read-signature.ts';
export type { ReceiverOptions } from './receive.ts';
export type { WebhookSecret } from './secrets.ts';
export type { RawBody } from './to-bytes.ts';
export {
  type Reason,
  type RefusedWebhook,
  type Verification,
  type VerifiedWebhook,
  WebhookVerificationError,
} from './verification.ts';
export { verifyWebhook, verifyWebhookOrThrow, type WebhookRequest } from './verify-webhook.ts';
