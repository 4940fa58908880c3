// Who makes a call, for those who look at the journal.
import type { AnyCall, Caller } from '../service.ts';

/** The user of the session, or the API key by its name. */
export function nameOfCaller(caller: Caller | undefined): string | undefined {
  if (caller?.session) return caller.session.username;
  return caller?.apiKey && `API key "${caller.apiKey.name}"`;
}

/** The user who logs in. A name that the world does not have may be a password in the wrong field. */
export function userOfCall({ world, input: { username } }: AnyCall): string | undefined {
  return typeof username === 'string' && world.users.has(username) ? username : undefined;
}
