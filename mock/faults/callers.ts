import { refresh } from '../operations/sessions.ts';
import type { AnyCall, Caller, Values } from '../service.ts';
import { digest } from '../world/digests.ts';
import type { World } from '../world/world.ts';
import { combineWraps, not, type Wrap, withMemory } from './fault.ts';
import {
  type AccessRequest,
  admitCaller,
  type CallTest,
  type Ids,
  remember,
  wrapAuthentication,
  wrapHandler,
  wrapValidation,
} from './wrap-calls.ts';

export type CallerTest = (access: Pick<AnyCall, 'caller' | 'world' | 'now'>) => boolean;

type HeaderTest = (access: Pick<AccessRequest, 'header' | 'world'>) => boolean;

export const bySession: CallerTest = ({ caller }) => caller?.session !== undefined;

export const byKey: CallerTest = not(bySession);

/** A world's first tenant has id 1. */
export const ofLaterTenant: CallerTest = ({ caller }) => (caller?.tenantId ?? 1) > 1;

/** Has a session of a user who is not the tenant's first. */
export const byLaterUser: CallerTest = ({ caller, world }) => isLaterUser(world, caller?.session?.username);

export const namesLaterUser: CallTest = ({ input, world }) => isLaterUser(world, input.username);

export const withoutHeader: HeaderTest = ({ header }) => header === undefined;

export const withEmptyBearer: HeaderTest = ({ header = '' }) => /^Bearer *$/i.test(header);

/** An expired token is not invented: the world still has its session. */
export function withInvented(prefix: 'st_' | 'sp_'): HeaderTest {
  return ({ header = '', world: { sessions } }) =>
    header.startsWith(`Bearer ${prefix}`) && !sessions.has(digest(header.slice('Bearer '.length)));
}

export type Test = (value: unknown, world: World) => boolean;

export const namesUser: CallTest = ({ input, world: { users } }) => users.has(String(input.username));

export const isLapsed: CallerTest = ({ caller, now }) =>
  caller?.session !== undefined && now >= caller.session.expiresAt;

/** Tells tokens of renewals from tokens of logins. */
export function trackRenewals(wrapOf: (isRenewed: CallerTest) => Wrap): Wrap {
  const track = remember('refresh', ({ token }) => digest(String(token)));
  return track((isSeen) => wrapOf(({ caller }) => isSeen(caller?.session?.key)));
}

/** Opens a session as a login does, without checking the password. */
export function loginAs(call: AnyCall, username = String(call.input.username)): Values {
  const tenantId = call.world.users.get(username)?.tenantId ?? 0;
  const session = { tenantId, username, expiresAt: 0, key: '' };
  return refresh({ ...call, input: {}, caller: { tenantId, session } });
}

/** The empty session key makes a renewal leave the latest session unchanged. */
export function latestCaller({ world: { sessions } }: Pick<AccessRequest, 'world'>): Caller | undefined {
  const latest = [...sessions.values()].at(-1);
  return latest && { tenantId: latest.tenantId, session: { ...latest, key: '' } };
}

const likenesses = {
  'cut short': (given, right) => given.length > 3 && right.startsWith(given),
  extended: (given, right) => given.startsWith(right),
  'of the same length': (given, right) => given.length === right.length,
  'in another case': (given, right) => given.toLowerCase() === right.toLowerCase(),
  'with another end': (given, right) =>
    given.length === right.length && given.slice(0, -4) === right.slice(0, -4),
  'with one wrong character': differsInOneCharacter,
} satisfies Record<string, (given: string, right: string) => boolean>;

export type Likeness = keyof typeof likenesses;

export function isLike(likeness: Likeness, given: string, right: string): boolean {
  return given !== right && likenesses[likeness](given, right);
}

export function differsInOneCharacter(given: string, right: string): boolean {
  const wrong = [...given].filter((char, index) => char !== right[index]);
  return given.length === right.length && wrong.length === 1;
}

/** Admits callers whose token resembles an accepted one; session tokens begin with `st_`, API keys with `sp_`. */
export function acceptSimilarTokens(ids: Ids, prefix: 'st_' | 'sp_', likeness: Likeness): Wrap {
  return withMemory((memory, known = memory.map<Caller>('known')) => {
    const callerOf = (access: Pick<AccessRequest, 'header'>) =>
      known.entries().find(([right]) => isLike(likeness, tokenOf(access), right))?.[1];
    return combineWraps(
      wrapAuthentication('all', (access, next) => {
        const caller = next();
        // A renewal does not end a session whose key is empty.
        const session = caller?.session && { session: { ...caller.session, key: '' } };
        if (caller && tokenOf(access).startsWith(prefix))
          known.set(tokenOf(access), { ...caller, ...session });
        return caller;
      }),
      admitCaller(ids, (access) => callerOf(access) !== undefined, callerOf),
    );
  });
}

function tokenOf({ header = '' }: Pick<AccessRequest, 'header'>): string {
  return /^Bearer +(\S+)$/i.exec(header)?.[1] ?? '';
}

function isLaterUser({ users }: World, username: unknown): boolean {
  const tenantId = users.get(String(username))?.tenantId;
  const [first] = [...users].find(([, user]) => user.tenantId === tenantId) ?? [];
  return tenantId !== undefined && username !== first;
}

/** Logs in the user that the username names, or else the world's first user. */
export function acceptLogin(isUsername: Test, isPassword: Test): Wrap {
  const isTaken: CallTest = ({ input: { username, password }, world }) =>
    isUsername(username, world) && isPassword(password, world);
  return combineWraps(
    wrapHandler('login', (call, next) => {
      if (!isTaken(call)) return next(call);
      const [first] = call.world.users.keys();
      return namesUser(call) ? loginAs(call) : loginAs(call, first);
    }),
    wrapValidation('login', (call, body, next) => {
      if (body.problem || !isTaken(call)) next();
    }),
  );
}
