import { forgetSecondSession, secondSession } from '../../calls/user-session.ts';
import type { Check, Need } from '../../check.ts';
import { type Context, once } from '../../context.ts';
import { describeAnswer } from '../../core/exchange.ts';
import { NotVerified } from '../../core/outcomes.ts';
import { endpoints } from '../../credentials/token-endpoints.ts';
import { useToken } from '../../credentials/use-token.ts';
import { creationBy, secondUser, testBy } from '../../credentials/users.ts';
import {
  type ExpiredSession,
  requireExpiredRefused,
  requireExpiredRenewed,
  useExpiredToken,
} from './expire-token.ts';
import { renewalWorks, renewedToken } from './refresh.ts';

const needs: readonly Need[] = ['account', 'site', 'creates', 'expiry', ...secondUser.needs];

const callsOf = { create: creationBy, test: testBy } as const;

/** The token of a second user that expires: it comes from a login, and nobody has renewed it. */
export const secondExpiry: readonly Check[] = [
  ...endpoints.map<Check>(({ name, what }) => ({
    id: `auth-5-${name}-with-expired-token-of-${secondUser.name}`,
    isFurther: true,
    requirement: 'AUTH-5',
    needs,
    run: async (context) => {
      const { uses } = await once(context, expireSecondSession);
      const token = `an expired session token of ${secondUser.who}`;
      requireExpiredRefused(context, uses.get(name), { what, token });
    },
  })),
  {
    id: `refresh-4-expired-token-of-${secondUser.name}`,
    isFurther: true,
    requirement: 'REFRESH-4',
    needs,
    run: async (context) => {
      await renewalWorks(context);
      const expired = await once(context, expireSecondSession);
      expired.uses.get('create')?.value();
      requireExpiredRenewed(context, expired, `the renewal of an expired session token of ${secondUser.who}`);
      const token = renewedToken(context, expired.renewal);
      await useToken(context, token, `the renewed token of ${secondUser.who}`);
    },
  },
];

/** The second user's token: accepted at first, then expired, used at the endpoints, and renewed. */
async function expireSecondSession(context: Context): Promise<ExpiredSession> {
  const session = await secondSession(context);
  const expired = await useExpiredToken(context, {
    endpoints,
    requireAccepted: async (name) => requireAccepted(await callsOf[name](context, secondUser)),
    currentSession: async () => session,
  });
  forgetSecondSession(context);
  return expired;
}

function requireAccepted({ exchange, brokenRequirement }: Awaited<ReturnType<typeof testBy>>): void {
  if (brokenRequirement)
    throw new NotVerified(
      `the token of ${secondUser.who} is not accepted before it expires (${describeAnswer(exchange)}); see ${brokenRequirement}`,
    );
}
