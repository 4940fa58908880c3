import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { digest } from '../world/digests.ts';
import { ControlError } from './control-error.ts';

/** Returns a check that throws a ControlError unless the Authorization header carries one of the control tokens. */
export function createTokenGuard(
  tokens: readonly string[],
): (request: Pick<IncomingMessage, 'headers'>) => void {
  const own = tokens.map((token) => Buffer.from(digest(token)));
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
