// A correct receiver, and helpers for incorrect ones.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Decide, Decision, ReceivedPush } from './open-receiver.ts';

/** 405 for another method, 401 for a wrong signature, 400 for a body that is not an event, 204 otherwise. */
export const decideRightly: Decide = (seen, secret) => {
  if (seen.method !== 'POST') return 405;
  if (!isSigned(seen, secret)) return 401;
  return isEvent(seen.body) ? 204 : 400;
};

/** Answers valid pushes that meet the condition differently. */
export function unless(isRefused: (seen: ReceivedPush) => boolean, decision: Decision = 400): Decide {
  return (seen, secret) =>
    isSigned(seen, secret) && isRefused(seen) ? decision : decideRightly(seen, secret);
}

/** Also accepts pushes that meet the condition. */
export function orIf(isTaken: (seen: ReceivedPush, secret: string) => boolean): Decide {
  return (seen, secret) => (isTaken(seen, secret) ? 200 : decideRightly(seen, secret));
}

/** Whether the header is `sha256=` and the hex of the raw body, compared in constant time. */
export function isSigned(seen: ReceivedPush, secret: string): boolean {
  const given = Buffer.from(signatureIn(seen) ?? '', 'latin1');
  const wanted = Buffer.from(`sha256=${hexOf(secret, seen.body)}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

export function hexOf(secret: string, body: Buffer | string, algorithm = 'sha256'): string {
  return createHmac(algorithm, secret).update(body).digest('hex');
}

export function signatureIn({ headers }: ReceivedPush): string | undefined {
  const value = headers['x-webhook-signature'];
  return Array.isArray(value) ? value.join(', ') : value;
}

function isEvent(body: Buffer): boolean {
  try {
    return typeof (JSON.parse(body.toString()) as { event?: unknown } | null)?.event === 'string';
  } catch {
    return false;
  }
}
