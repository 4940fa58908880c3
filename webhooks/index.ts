// Entry point `sitepub/webhooks`: web standards only, for Node, Bun, Deno and edge runtimes.
export type { EventName, PublishCompleteData, WebhookEvent } from './event.ts';
export { createFetchHandler } from './fetch.ts';
export type { IdOf, Ids } from './identifiers.ts';
export type { ReceiverOptions } from './receive.ts';
export type { WebhookSecret } from './secrets.ts';
export {
  type RawBody,
  type Reason,
  type RefusedWebhook,
  type Verification,
  type VerifiedWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
} from './verification.ts';
export { verifyWebhook, verifyWebhookOrThrow, type WebhookRequest } from './verify-webhook.ts';
