// Entry point `sitepub/webhooks`. It uses only web standards, for Node, Bun, Deno and edge runtimes.
export type { EventName, PublishCompleteData, WebhookEvent } from './event.ts';
export { createFetchHandler } from './fetch.ts';
export type { IdOf, Ids } from './identifiers.ts';
export type { ReceiverOptions } from './receive.ts';
export {
  type RawBody,
  type Reason,
  type RefusedWebhook,
  type Verification,
  type VerifiedWebhook,
  type WebhookHeaders,
  type WebhookSecret,
  WebhookVerificationError,
} from './verification.ts';
export { verifyWebhook, verifyWebhookOrThrow, type WebhookRequest } from './verify-webhook.ts';
