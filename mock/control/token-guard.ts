import { timingSafeEqual } from 'node:crypto';
import { digest } from '../world/digests.ts';
import { ControlError } from './control-error.ts';

/** Returns a check that throws a ControlError unless the Authorization header carries the control token, if there is one. */
export function createGuard(token: string | undefined): (header: string | undefined) => void {
  if (token === undefined) return () => {};
  const own = Buffer.from(digest(token));
  return (header) => {
    const given = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? '';
    // Digests have the same length, and where two of them differ reveals nothing about the token.
    if (timingSafeEqual(Buffer.from(digest(given)), own)) return;
    throw new ControlError(
      401,
      'this mock was started with a control token; send "Authorization: Bearer <control token>"',
      { 'www-authenticate': 'Bearer' },
    );
  };
}
