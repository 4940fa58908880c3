import { createHmac } from 'node:crypto';

/** X-Webhook-Signature (section 6.4): over the body as it is sent, never over JSON that was written anew. */
export function signBody(secret: string, body: string, hex: 'lower' | 'upper'): string {
  const digest = createHmac('sha256', secret).update(body).digest('hex');
  return `sha256=${hex === 'upper' ? digest.toUpperCase() : digest}`;
}

export interface VendorSign {
  timestamp: string;
  sign: string;
}

/** The robots' own sign of DingTalk, for the query: milliseconds, and the secret is the key. */
export function signForDingtalk(secret: string, at: number): VendorSign {
  const timestamp = String(at);
  return { timestamp, sign: createHmac('sha256', secret).update(`${timestamp}\n${secret}`).digest('base64') };
}

/** That of Feishu, for the body: seconds, and the text to sign is the key of an empty message. */
export function signForFeishu(secret: string, at: number): VendorSign {
  const timestamp = String(Math.floor(at / 1000));
  return { timestamp, sign: createHmac('sha256', `${timestamp}\n${secret}`).digest('base64') };
}
