import { timingSafeEqual } from 'node:crypto';

/** Compares a value with a secret, in a time that reveals no more than its length. */
export function matchesSecret(given: string, secret: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(secret)];
  return one.length === other.length && timingSafeEqual(one, other);
}
