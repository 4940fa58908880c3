import type { RootMock } from '../../../mock/server/create-mock.ts';
import { checks } from '../../checks/index.ts';
import { accepted, callOf, dataOf, isLogin, isRefresh, jsonOf, refuse } from '../tampering.ts';
import type { Tamper } from '../tampering-proxy.ts';
import { broken, row, type VerdictRow } from './verdict-row.ts';

const ofExpiry = { tier: 'full', cases: 4, only: ['AUTH-5', 'REFRESH-4'] } as const;

const beyondReceivers = [...new Set(checks.map(({ requirement }) => requirement))].filter(
  (id) => !id.startsWith('RECV-'),
);

export const sessionRows: readonly VerdictRow[] = [
  row('a new login that ends the last session of the user', { verifies: beyondReceivers }, () => ({
    tamper: oneSessionEach,
    options: { tier: 'full', cases: 4 },
  })),
  row('nine logins of another client in the minute of the run', { verifies: ['LOGIN-3'] }, () => ({
    control: false,
    sabotage: (mock) => useUpLogins(mock, 9),
    options: { only: ['LOGIN-1', 'LOGIN-3', 'LOGIN-4', 'LOGIN-5'] },
  })),
  row(
    'tokens that work 0.7 s after they were issued',
    { passes: ['LOGIN-1', 'REFRESH-1', 'AUTH-2', 'HOOK-1', 'HOOK-10'] },
    () => ({
      tamper: () => knownAfter(700),
      control: false,
      options: {
        tier: 'full',
        only: ['LOGIN-1', 'REFRESH-1', 'AUTH-2', 'HOOK-1', 'HOOK-10'],
        cases: 4,
        arrivalMs: 300,
      },
    }),
  ),
  row(
    'a valid token accepted with another scheme name',
    { passes: ['AUTH-4', 'REFRESH-2'], remarks: ['other-scheme'] },
    () => ({ variations: ['any-scheme'], options: { tier: 'full', cases: 24 } }),
  ),
  row('a password accepted in swapped case', { passes: ['LOGIN-3'], remarks: ['lenient-password'] }, () => ({
    variations: ['swapped-case'],
    options: { tier: 'full', cases: 24 },
  })),
  row('expired tokens that caches accept for another minute', { passes: ['AUTH-5', 'REFRESH-4'] }, () => ({
    variations: ['cached-credentials'],
    options: ofExpiry,
  })),
  broken(
    'a token accepted after the control API expired it',
    'expired-token-taken-for-ten-minutes',
    'AUTH-5',
    { options: ofExpiry },
  ),
];

/** Refuses new tokens for some milliseconds. */
function knownAfter(ms: number): Tamper {
  const knownAt = new Map<string, number>();
  return async (message, forward) => {
    const token = message.headers.authorization?.replace('Bearer ', '') ?? '';
    if (Date.now() < (knownAt.get(token) ?? 0)) return refuse(401, 40100);
    const reply = await forward(message);
    const call = callOf(message, reply);
    const { data } = jsonOf(reply.body) as { data?: { token?: string } };
    if ((isLogin(call) || isRefresh(call)) && data?.token) knownAt.set(data.token, Date.now() + ms);
    return reply;
  };
}

/** A later login or renewal of the same user ends earlier tokens. */
function oneSessionEach(): Tamper {
  const userOf = new Map<unknown, unknown>();
  const lastOf = new Map<unknown, unknown>();
  return async (message, forward) => {
    const [, token] = /^Bearer (st_.+)/.exec(message.headers.authorization ?? '') ?? [];
    const user = userOf.get(token);
    if (user !== undefined && lastOf.get(user) !== token) return refuse(401, 40100);
    const reply = await forward(message);
    const call = callOf(message, reply);
    if (accepted(call) && (isLogin(call) || isRefresh(call))) {
      const owner = isLogin(call) ? jsonOf(message.body).username : user;
      const { token: given } = dataOf(jsonOf(reply.body));
      userOf.set(given, owner);
      lastOf.set(owner, given);
    }
    return reply;
  };
}

/** Uses up logins of the tenant, as another client would. */
export function useUpLogins(mock: RootMock, count: number): void {
  const [tenantId] = mock.world.tenants.keys();
  mock.world.limits.set(`logins:${tenantId}`, Array(count).fill(mock.clock.now() + 60_000));
}
