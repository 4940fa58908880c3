import { hash } from 'node:crypto';
import type { User } from './entries.ts';

/** Tokens and keys are looked up by digest, so that neither the world nor the time of a lookup reveals them. */
export function digest(secret: string): string {
  return hash('sha256', secret);
}

/** One round is enough for public passwords. */
export function digestPassword(salt: string, password: string): string {
  return digest(salt + password);
}

const unknownUser: User = { tenantId: 0, salt: '', passwordDigest: digest('nobody has this password') };

/** Takes as long for an unknown user as for a wrong password. */
export function isPasswordOf(user: User | undefined, password: string): user is User {
  const { salt, passwordDigest } = user ?? unknownUser;
  const same = isSameSecret(digestPassword(salt, password), passwordDigest);
  return same && user !== undefined;
}

/** The time that it takes reveals at most a length; buffers for `timingSafeEqual` would cost more than a digest. */
export function isSameSecret(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}
