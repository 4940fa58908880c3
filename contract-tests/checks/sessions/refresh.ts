import { call } from '../../calls/call.ts';
import { expectRefusal, expectSuccess } from '../../calls/expect-answer.ts';
import {
  inventToken,
  mainSession,
  renew,
  sessionToken,
  startNewSession,
  useRenewedToken,
} from '../../calls/user-session.ts';
import type { Check, Need } from '../../check.ts';
import { type Context, once } from '../../context.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { settle } from '../../core/settled.ts';
import { nearMissTokens } from '../../credentials/near-misses.ts';
import { isAccepted, isSessionUsable, useToken } from '../../credentials/use-token.ts';

const needs: readonly Need[] = ['account'];

/** Authorization that is not that of a Bearer token. */
const otherHeaders = [
  {
    name: 'other-scheme',
    what: 'another scheme than Bearer',
    write: (token: string) => `Basic ${Buffer.from(`bearer:${token}`).toString('base64')}`,
  },
  {
    name: 'token-behind-another-word',
    what: 'its token behind another word than Bearer',
    write: (token: string) => `Token ${token}`,
  },
  { name: 'empty-bearer', what: 'no token behind the word Bearer', write: () => 'Bearer' },
] as const;

/** Renewing a session token. */
export const refresh: readonly Check[] = [
  {
    id: 'refresh-1-renewed-token-works',
    requirement: 'REFRESH-1',
    needs,
    run: (context) => once(context, requireRenewal),
  },
  {
    id: 'refresh-1-renewed-again',
    requirement: 'REFRESH-1',
    needs,
    run: (context) => once(context, requireRenewalAgain),
  },
  {
    id: 'refresh-2-no-authorization',
    requirement: 'REFRESH-2',
    needs,
    run: async (context) => {
      await twin(context);
      const token = await sessionToken(context);
      const exchange = await call(context, 'refresh', { values: { token }, token: null });
      expectRefusal(context, exchange, { what: 'a renewal without Authorization', kind: 'unauthenticated' });
    },
  },
  ...otherHeaders.map(({ name, what, write }) => ({
    id: `refresh-2-${name}`,
    requirement: 'REFRESH-2',
    needs,
    run: async (context: Context) => {
      await twin(context);
      const token = await sessionToken(context);
      const headers = { Authorization: write(token) };
      const exchange = await call(context, 'refresh', { values: { token }, token: null, headers });
      expectRefusal(context, exchange, { what: `a renewal with ${what}`, kind: 'unauthenticated' });
    },
  })),
  {
    id: 'refresh-3-invented-token',
    requirement: 'REFRESH-3',
    needs,
    run: async (context) => {
      await twin(context);
      const token = inventToken(await sessionToken(context));
      const exchange = await call(context, 'refresh', { values: { token }, token });
      expectRefusal(context, exchange, { what: 'the renewal of an invented token', kind: 'unauthenticated' });
    },
  },
  {
    id: 'refresh-3-nearly-right-token',
    requirement: 'REFRESH-3',
    needs,
    run: async (context) => {
      await twin(context);
      for (const { how, text: token } of nearMissTokens(await sessionToken(context)))
        expectRefusal(context, await call(context, 'refresh', { values: { token }, token }), {
          what: `the renewal of a token ${how}`,
          kind: 'unauthenticated',
        });
    },
  },
];

async function requireRenewal(context: Context): Promise<void> {
  const exchange = await once(context, renewMainSession);
  if (!succeeded(exchange) && !(await isSessionUsable(context)))
    throw new NotVerified('the session token is accepted nowhere else either; see LOGIN-1');
  expectSuccess(context, exchange, 'the renewal of a session token');
  await useToken(context, renewedToken(context, exchange), 'a renewed token');
}

/** A token that came out of a renewal is a session token as well. */
async function requireRenewalAgain(context: Context): Promise<void> {
  const { error } = await settle(() => once(context, requireRenewal));
  if (error instanceof PromiseBroken) throw new NotVerified('a session token is not renewed; see REFRESH-1');
  if (error) throw error;
  const first = await sessionToken(context);
  const exchange = await renew(context, first);
  expectSuccess(context, exchange, 'the renewal of a renewed token');
  const used = await settle(() =>
    useToken(context, renewedToken(context, exchange), 'a token that was renewed twice'),
  );
  if (used.error) await goBack(context, first);
  used.value();
}

/** Goes on with an earlier token of the session, or with a new session where that one has ended. */
async function goBack(context: Context, token: string): Promise<void> {
  if (await isAccepted(context, token)) useRenewedToken(context, token);
  else await startNewSession(context);
}

/** Throws NotVerified where not even a token that lives is renewed to one that works: that is REFRESH-1's matter. */
export async function renewalWorks(context: Context): Promise<void> {
  const { error } = await settle(() => once(context, requireRenewalAgain));
  if (error instanceof PromiseBroken) throw new NotVerified('a session token is not renewed; see REFRESH-1');
  if (error) throw error;
}

/** The session's token is renewed once; from then on the run uses the renewed one, for the old one may have ended. */
async function renewMainSession(context: Context): Promise<Exchange> {
  const session = await mainSession(context);
  const exchange = await call(context, 'refresh', {
    values: { token: session.token },
    token: session.token,
  });
  const renewed = exchange.values.token;
  if (succeeded(exchange) && typeof renewed === 'string') {
    useRenewedToken(context, renewed);
    await settleSession(context, session.token, renewed);
  } else if (succeeded(exchange) && !(await isAccepted(context, session.token))) {
    // The old token has ended, and the new one is not where the profile says.
    await startNewSession(context);
  }
  return exchange;
}

/** Notes whether the old token has ended. Where only the old one is good, the run goes on with it: one broken promise is enough. */
async function settleSession(context: Context, old: string, renewed: string): Promise<void> {
  const oldIsKept = await isAccepted(context, old);
  if (oldIsKept === undefined) return;
  context.observations.compare('refresh.old-token', oldIsKept ? 'kept' : 'ended');
  if (oldIsKept && !(await isAccepted(context, renewed))) useRenewedToken(context, old);
}

async function twin(context: Context): Promise<void> {
  const exchange = await once(context, renewMainSession);
  if (!succeeded(exchange)) throw new NotVerified('a session token is not renewed; see REFRESH-1');
}

/** The token in the answer of a renewal, or the gap that hides it. */
export function renewedToken({ profile, secrets }: Context, exchange: Exchange): string {
  const { token } = exchange.values;
  if (typeof token !== 'string') {
    throw new NotVerified(
      `no token at ${profile.values['refresh.token']} in the answer of a renewal; state refresh.token in a profile`,
    );
  }
  secrets.add('SITEPUB_TOKEN', token);
  return token;
}
