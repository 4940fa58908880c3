import { timingSafeEqual } from 'node:crypto';
import { digest } from '../world/digests.ts';
import { ControlError } from './control-error.ts';

/** Refuses a request whose Authorization header does not carry the control token, where there is one. */
export function createGuard(token: string | undefined): (header: string | undefined) => void {
  if (token === undefined) return () => {};
  const own = Buffer.from(digest(token));
  return (header) => {
    const given = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? '';
    // Digests are of one length, and where two of them differ tells nothing of the token.
    if (timingSafeEqual(Buffer.from(digest(given)), own)) return;
    throw new ControlError(
      401,
      'this mock was started with a control token; send "Authorization: Bearer <control token>"',
      { 'www-authenticate': 'Bearer' },
    );
  };
}
