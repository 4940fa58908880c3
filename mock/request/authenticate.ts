import type { OperationId } from '../../openapi/operations.ts';
import { tokenExpired, unauthenticated } from '../http/api-errors.ts';
import type { AnyCall, Caller, Habits, Mock, RequestSteps } from '../service.ts';
import { digest } from '../world/digests.ts';
import type { ApiKey, Session } from '../world/entries.ts';

export const authenticate: RequestSteps['authenticate'] = (mock, operation, request) => {
  if (operation.auth === 'none') return undefined;
  const { apiKeys, sessions } = mock.world;
  const key = keyOf(mock, request);
  const apiKey = apiKeys.get(key);
  const { habits } = mock.settings;
  if (apiKey && isKeyTaken(apiKey, request.now, habits)) {
    if (operation.auth === 'session' || (habits.keysBySession && changesKeys.includes(operation.id)))
      throw unauthenticated('an API key is not accepted here; log in and send the session token');
    return { tenantId: apiKey.tenantId, apiKey };
  }
  const session = sessions.get(key);
  if (!session || isTooNew(openedAt(mock, session), request.now, habits))
    throw unauthenticated('the token is unknown or has ended');
  if (operation.auth === 'api-key')
    throw unauthenticated('a session token is not accepted here; send an API key');
  // An expired token can still be renewed for a while (section 5: "When it expires, call POST /auth/refresh").
  const { expiryLagMs = 0 } = habits;
  const grace = operation.id === 'refresh' ? mock.profile.values['refresh.window'] * 1000 : expiryLagMs;
  if (request.now >= session.expiresAt + grace) throw tokenExpired(session.expiresAt);
  // The world evicts the least recently used sessions first.
  sessions.moveToEnd(key);
  return { tenantId: session.tenantId, session: { ...session, key } };
};

export function nameOfCaller(caller: Caller | undefined): string | undefined {
  if (caller?.session) return caller.session.username;
  return caller?.apiKey && `API key "${caller.apiKey.name}"`;
}

/** Undefined for a name that the world does not have, which may be a password in the wrong field. */
export function userOfCall({ world, input: { username } }: AnyCall): string | undefined {
  return typeof username === 'string' && world.users.has(username) ? username : undefined;
}

export function tenantOfCall({ caller, world, input }: AnyCall): number | undefined {
  if (caller) return caller.tenantId;
  const { username, siteID } = input;
  if (typeof username === 'string') return world.users.get(username)?.tenantId;
  return world.sites.get(Number(siteID))?.tenantId;
}

const changesKeys: readonly OperationId[] = ['createKey', 'deleteKey'];

/** Under a variation, a deleted key is still accepted for a while. */
function isKeyTaken(
  { createdAt, deletedAt = Number.POSITIVE_INFINITY }: ApiKey,
  now: number,
  habits: Habits,
) {
  return !isTooNew(createdAt, now, habits) && now < deletedAt + (habits.deletedKeyMs ?? 0);
}

/** Under a variation, new tokens and keys are unknown at first. */
function isTooNew(createdAt: number, now: number, { unknownAtFirstMs }: Habits): boolean {
  return unknownAtFirstMs !== undefined && now < createdAt + unknownAtFirstMs;
}

function openedAt({ profile }: Mock, { expiresAt }: Session): number {
  return expiresAt - profile.values['token.lifetime'] * 1000;
}

/** Returns the digest of the token, computed once for a header that a connection repeats. */
function keyOf(
  { tokenCache, settings }: Mock,
  { header, connection }: { header: string | undefined; connection: object },
): string {
  const last = tokenCache.get(connection);
  if (last && last.header === header) return last.key;
  const key = digest(readBearer(settings.habits.anyScheme ? asBearer(header) : header));
  tokenCache.set(connection, { header, key });
  return key;
}

/** Accepts any scheme in place of Bearer; with Basic, the password is the token. */
function asBearer(header: string | undefined): string | undefined {
  const [, encoded] = /^Basic +(\S+)$/i.exec(header ?? '') ?? [];
  if (encoded === undefined) return header?.replace(/^\w+ +/, 'Bearer ');
  const text = Buffer.from(encoded, 'base64').toString();
  return `Bearer ${text.slice(text.indexOf(':') + 1)}`;
}

function readBearer(header: string | undefined): string {
  if (header === undefined)
    throw unauthenticated('the Authorization header is missing; expected "Authorization: Bearer <token>"');
  const token = /^Bearer +(\S+) *$/i.exec(header)?.[1];
  if (token === undefined)
    throw unauthenticated('the Authorization header does not have the form "Bearer <token>"');
  return token;
}
