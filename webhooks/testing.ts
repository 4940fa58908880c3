import { createHmac } from 'node:crypto';
import type { WebhookHeaders } from './verification.ts';
import { verifyWebhook } from './verify-webhook.ts';

export const secret = 's3cr3t';
/** An event, and its compact JSON. */
export const event = {
  event: 'publish.complete',
  timestamp: '2026-01-02T03:04:05+08:00',
  site_id: 101,
  site_name: '示例站点',
  data: { message: '12 pages published', pages: 12, version: 7 },
};
export const text = JSON.stringify(event);

export function signatureOf(body: string | Uint8Array, key = secret): string {
  return `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
}

export function headersOf(body: string | Uint8Array, key = secret): Record<string, string> {
  return { 'x-webhook-signature': signatureOf(body, key) };
}

/** Undefined if the push is not rejected. */
export async function reasonOf(request: { body: string | Uint8Array; headers: WebhookHeaders }) {
  const result = await verifyWebhook({ ...request, secret });
  return result.ok ? undefined : result.reason;
}
