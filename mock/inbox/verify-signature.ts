import { createHmac, timingSafeEqual } from 'node:crypto';

/** Whether X-Webhook-Signature (section 6.4) is valid for the received bytes; its hex may be in either case. */
export function isSignedBy(secret: string, body: Buffer, signature: string | undefined): boolean {
  const hex = /^sha256=([\da-fA-F]{64})$/.exec(signature ?? '')?.[1];
  if (hex === undefined) return false;
  return timingSafeEqual(Buffer.from(hex, 'hex'), createHmac('sha256', secret).update(body).digest());
}
