import { callOf, isLogin, isRefresh, jsonOf, refuse } from '../tampering.ts';
import type { Tamper } from '../tampering-proxy.ts';
import type { VerdictRow } from './verdict-row.ts';

const ofExpiry = { tier: 'full', cases: 4, only: ['AUTH-5', 'REFRESH-4'] } as const;

export const sessionRows: readonly VerdictRow[] = [
  {
    behaviour: 'tokens that are known 0.7 s after they were given out',
    run: () => ({
      tamper: () => knownAfter(700),
      control: false,
      options: {
        tier: 'full',
        only: ['LOGIN-1', 'REFRESH-1', 'AUTH-2', 'HOOK-1', 'HOOK-10'],
        cases: 4,
        arrivalMs: 300,
      },
    }),
    passes: ['LOGIN-1', 'REFRESH-1', 'AUTH-2', 'HOOK-1', 'HOOK-10'],
  },
  {
    behaviour: 'expired tokens that caches take for another minute',
    run: () => ({ variations: ['cached-credentials'], options: ofExpiry }),
    passes: ['AUTH-5', 'REFRESH-4'],
  },
  {
    behaviour: 'a token that is still taken after a control API ended it',
    run: () => ({ faults: ['expired-token-taken-for-ten-minutes'], options: ofExpiry }),
    fails: ['AUTH-5'],
  },
];

/** Refuses the tokens of logins and renewals for some milliseconds. */
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
