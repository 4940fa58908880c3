import { accountLocked, badCredentials, unauthenticated } from '../http/api-errors.ts';
import type { Call, Values } from '../service.ts';
import { digest, isPasswordOf } from '../world/digests.ts';
import type { Session, User } from '../world/entries.ts';
import { drawHex } from '../world/random.ts';

export function login(call: Call<{ username: string; password: string }>): Values {
  const { username, password } = call.input;
  const { users, sessions } = call.world;
  const user = users.get(username);
  if (user?.lockedUntil !== undefined && call.now < user.lockedUntil) throw accountLocked(user.lockedUntil);
  if (!isAccepted(call, user, password)) {
    if (user) countWrongPassword(call, username);
    throw badCredentials();
  }
  if (user.wrongPasswords !== undefined) delete users.edit(username).wrongPasswords;
  if (call.profile.values['session.concurrent'] === 'ended-by-login')
    for (const key of sessions.of(username).keys()) sessions.delete(key);
  return openSession(call, { tenantId: user.tenantId, username });
}

/** Renews the token of the header, even if the body has one too (section 5). */
export function refresh(call: Call<unknown>): Values {
  const session = call.caller?.session;
  if (!session) throw unauthenticated('an API key does not expire; expected a session token');
  if (call.profile.values['refresh.old-token'] === 'ended') call.world.sessions.delete(session.key);
  return openSession(call, session);
}

function isAccepted({ settings }: Call<unknown>, user: User | undefined, password: string): user is User {
  return (
    isPasswordOf(user, password) ||
    (settings.habits.swappedCase === true && isPasswordOf(user, swapCase(password)))
  );
}

function swapCase(text: string): string {
  return text.replace(/[a-zA-Z]/g, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

function countWrongPassword({ world, profile, now }: Call<unknown>, username: string): void {
  const lock = profile.values['login.lock-out'];
  if (lock === 'none') return;
  const user = world.users.edit(username);
  user.wrongPasswords = (user.wrongPasswords ?? 0) + 1;
  if (user.wrongPasswords < lock.after) return;
  user.lockedUntil = now + lock.seconds * 1000;
  delete user.wrongPasswords;
}

function openSession(
  { world, profile, now }: Call<unknown>,
  { tenantId, username }: Pick<Session, 'tenantId' | 'username'>,
): Values {
  const token = `st_${drawHex(world, 32)}`;
  const lifetime = profile.values['token.lifetime'];
  world.sessions.set(digest(token), { tenantId, username, expiresAt: now + lifetime * 1000 });
  return { token, expires_in: lifetime };
}
