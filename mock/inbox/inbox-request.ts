import { createHmac } from 'node:crypto';
import { isSameSecret } from '../world/digests.ts';

export interface InboxRequest {
  method: string;
  /** What follows the path of the inbox, with the query: "?key=abc", "/x" or "". */
  path: string;
  /** By name in lower case. */
  headers: Record<string, string>;
  body: Buffer;
}

export interface InboxAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export function answerJson(value: object): InboxAnswer {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

/** Checks X-Webhook-Signature (section 6.4) against the received bytes; its hex digits may be in either case. */
export function isSignedBy(secret: string, body: Buffer, signature: string | undefined): boolean {
  const [, hex = ''] = /^sha256=([\da-fA-F]{64})$/.exec(signature ?? '') ?? [];
  return isSameSecret(hex.toLowerCase(), createHmac('sha256', secret).update(body).digest('hex'));
}
