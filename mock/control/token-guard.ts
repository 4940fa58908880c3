import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { digest } from '../world/digests.ts';
import { ControlError } from './control-error.ts';

/** Returns a check that throws a ControlError unless the Authorization header carries a control token of one of these digests. */
export function createTokenGuard(
  digests: readonly string[],
): (request: Pick<IncomingMessage, 'headers'>) => void {
  const own = digests.map((one) => Buffer.from(one));
  return ({ headers }) => {
    const given = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? '';
    // Digests have the same length, and where two of them differ reveals nothing about the token.
    const sent = Buffer.from(digest(given));
    // Each of them is compared, whatever came of the others.
    if (own.filter((token) => timingSafeEqual(sent, token)).length > 0) return;
    throw new ControlError(
      401,
      'this mock was started with a control token; send "Authorization: Bearer <control token>"',
      { 'www-authenticate': 'Bearer' },
    );
  };
}
