import { setTimeout as sleep } from 'node:timers/promises';
import type { Check, Need } from '../check.ts';
import { type Context, call, once } from '../context.ts';
import { describeAnswer, type Exchange, succeeded } from '../exchange.ts';
import { expectRefusal, expectSuccess } from '../expect.ts';
import { NotVerified } from '../outcomes.ts';
import {
  budgetKey,
  inventToken,
  mainSession,
  sendLogin,
  sessionToken,
  startNewSession,
  tokenOf,
  useRenewedToken,
} from '../session.ts';
import { isAccepted, isSessionUsable, useToken } from '../use-token.ts';

const needs: readonly Need[] = ['account'];

/** Renewing a session token. */
export const refresh: readonly Check[] = [
  {
    id: 'refresh-1-renewed-token-works',
    requirement: 'REFRESH-1',
    needs,
    run: async (context) => {
      const exchange = await renewal(context);
      if (!succeeded(exchange) && !(await isSessionUsable(context)))
        throw new NotVerified('the session token is accepted nowhere else either; see LOGIN-1');
      expectSuccess(context, exchange, 'the renewal of a session token');
      await useToken(context, renewedToken(context, exchange), 'a renewed token');
    },
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
  {
    id: 'refresh-2-other-scheme',
    requirement: 'REFRESH-2',
    needs,
    run: async (context) => {
      await twin(context);
      const token = await sessionToken(context);
      const headers = { Authorization: `Basic ${Buffer.from(`bearer:${token}`).toString('base64')}` };
      const exchange = await call(context, 'refresh', { values: { token }, token: null, headers });
      expectRefusal(context, exchange, {
        what: 'a renewal with another scheme than Bearer',
        kind: 'unauthenticated',
      });
    },
  },
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
    id: 'refresh-4-expired-token',
    requirement: 'REFRESH-4',
    needs: [...needs, 'expiry'],
    run: async (context) => {
      const token = await expiredToken(context);
      const exchange = await call(context, 'refresh', { values: { token }, token });
      expectSuccess(context, exchange, 'the renewal of an expired session token');
      await useToken(context, renewedToken(context, exchange), 'the renewal of an expired token');
    },
  },
];

/** A session token that was accepted and is past its lifetime; made by waiting, once a run. */
export function expiredToken(context: Context): Promise<string> {
  return once(context, 'expired token', async () => {
    const { account } = context.options;
    await context.budget.take(budgetKey(context, 'main'), 1);
    const login = await sendLogin(context, { ...account });
    if (!succeeded(login)) throw new NotVerified(`a second login was refused (${describeAnswer(login)})`);
    const token = tokenOf(context, login, 'main');
    await sleep(context.profile.values['token.lifetime'] * 1_000 + 500);
    return token;
  });
}

/** The session's token is renewed once; from then on the run uses the renewed one, for the old one may have ended. */
function renewal(context: Context): Promise<Exchange> {
  return once(context, 'renewal', async () => {
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
  });
}

/** Notes whether the old token has ended. Where only the old one is good, the run goes on with it: one broken promise is enough. */
async function settleSession(context: Context, old: string, renewed: string): Promise<void> {
  const oldIsKept = await isAccepted(context, old);
  if (oldIsKept === undefined) return;
  context.observations.compare('refresh.old-token', oldIsKept ? 'kept' : 'ended');
  if (oldIsKept && !(await isAccepted(context, renewed))) useRenewedToken(context, old);
}

async function twin(context: Context): Promise<void> {
  const exchange = await renewal(context);
  if (!succeeded(exchange)) throw new NotVerified('a session token is not renewed; see REFRESH-1');
}

function renewedToken({ profile, secrets }: Context, exchange: Exchange): string {
  const { token } = exchange.values;
  if (typeof token !== 'string') {
    throw new NotVerified(
      `no token at ${profile.values['refresh.token']} in the answer of a renewal; state refresh.token in a profile`,
    );
  }
  secrets.add('SITEPUB_TOKEN', token);
  return token;
}
