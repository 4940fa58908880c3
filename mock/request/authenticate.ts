import type { Operation } from '../../openapi/operations.ts';
import { tokenExpired, unauthenticated } from '../http/api-errors.ts';
import type { Caller, Service } from '../service.ts';
import { digest } from '../world/digests.ts';

export function authenticate(
  service: Service,
  operation: Operation,
  request: { header: string | undefined; now: number; connection: object },
): Caller | undefined {
  if (operation.auth === 'none') return undefined;
  const { apiKeys, sessions } = service.world;
  const key = keyOf(service, request);
  const apiKey = apiKeys.get(key);
  if (apiKey && operation.auth === 'session')
    throw unauthenticated('an API key can not do this; log in, and send the session token');
  if (apiKey) return { tenantId: apiKey.tenantId };
  const session = sessions.get(key);
  if (!session) throw unauthenticated('the token is not known here, or it was ended');
  if (operation.auth === 'api-key') throw unauthenticated('a session token can not do this; send an API key');
  // An expired token can still be renewed for a while: section 5, "When it expires, call POST /auth/refresh".
  const grace = operation.id === 'refresh' ? service.profile.values['refresh.window'] * 1000 : 0;
  if (request.now >= session.expiresAt + grace) throw tokenExpired(session.expiresAt);
  // Moved to the end, so that the sessions used least recently are dropped first.
  sessions.delete(key);
  sessions.set(key, session);
  return { tenantId: session.tenantId, session: { ...session, key } };
}

/** The token's key in the world. A header that a connection repeats is digested once. */
function keyOf(
  { tokenCache }: Service,
  { header, connection }: { header: string | undefined; connection: object },
): string {
  const last = tokenCache.get(connection);
  if (last && last.header === header) return last.key;
  const key = digest(readBearer(header));
  tokenCache.set(connection, { header, key });
  return key;
}

function readBearer(header: string | undefined): string {
  if (header === undefined)
    throw unauthenticated('the Authorization header is missing; expected "Authorization: Bearer <token>"');
  const token = /^Bearer +(\S+) *$/i.exec(header)?.[1];
  if (token === undefined)
    throw unauthenticated('the Authorization header is not of the form "Bearer <token>"');
  return token;
}
