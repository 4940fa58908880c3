import { createHmac } from 'node:crypto';
import { showLongIds } from '../world/long-ids.ts';

/** X-Webhook-Signature (section 6.4): over the body as sent, never over re-serialised JSON. */
export function signBody(secret: string, body: string, hex: 'lower' | 'upper'): string {
  const digest = createHmac('sha256', secret).update(showLongIds(body)).digest('hex');
  return `sha256=${hex === 'upper' ? digest.toUpperCase() : digest}`;
}

export interface VendorSign {
  timestamp: string;
  sign: string;
}

/** DingTalk's own sign, for the query: the timestamp is in milliseconds, the secret is the key. */
export function signForDingtalk(secret: string, at: number): VendorSign {
  const timestamp = String(at);
  return { timestamp, sign: createHmac('sha256', secret).update(`${timestamp}\n${secret}`).digest('base64') };
}

/** Feishu's own sign, for the body: the timestamp is in seconds, the text to sign is the key of an empty message. */
export function signForFeishu(secret: string, at: number): VendorSign {
  const timestamp = String(Math.floor(at / 1000));
  return { timestamp, sign: createHmac('sha256', `${timestamp}\n${secret}`).digest('base64') };
}
