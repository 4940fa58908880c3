import { call } from '../call.ts';
import type { Check, Need } from '../check.ts';
import { type Context, once } from '../context.ts';
import type { Control } from '../control.ts';
import { describeAnswer, succeeded } from '../exchange.ts';
import { expectRefusal, expectSuccess } from '../expect.ts';
import { HarnessError, NotVerified } from '../outcomes.ts';
import { inventToken, sendLogin, takeLogins, tokenOf } from '../session.ts';
import { isAccepted, useToken } from '../use-token.ts';
import { endpoints, twin } from './authentication.ts';
import { renewalWorks, renewedToken } from './refresh.ts';

const needs: readonly Need[] = ['account', 'expiry'];

/** What becomes of a session token that expires; its time is let run from the beginning of the run. */
export const expiry: readonly Check[] = [
  ...endpoints.map(({ name, what, send }) => ({
    id: `auth-5-${name}-with-expired-token`,
    requirement: 'AUTH-5',
    needs: [...needs, 'site', 'creates'] as const,
    plant,
    run: async (context: Context) => {
      await twin(context, name);
      const token = await expiredToken(context);
      const invented = await send(context, { token: inventToken(token) });
      if (succeeded(invented)) throw new NotVerified(`${what} takes any token; see AUTH-4`);
      expectRefusal(context, await send(context, { token }), {
        what: `${what} with an expired session token`,
        kind: 'token-expired',
      });
    },
  })),
  {
    id: 'refresh-4-expired-token',
    requirement: 'REFRESH-4',
    needs,
    plant,
    run: async (context) => {
      await renewalWorks(context);
      const token = await expiredToken(context);
      const exchange = await call(context, 'refresh', { values: { token }, token });
      expectSuccess(context, exchange, 'the renewal of an expired session token');
      await useToken(context, renewedToken(context, exchange), 'the renewal of an expired token');
    },
  },
];

async function plant(context: Context): Promise<void> {
  await tokenToExpire(context);
}

/** A session token of its own. */
function tokenToExpire(context: Context): Promise<{ token: string; at: number }> {
  return once(context, 'token to expire', async () => {
    const { account } = context.options;
    await takeLogins(context, 'main', 1);
    const login = await sendLogin(context, { ...account });
    if (!succeeded(login)) throw new NotVerified(`a second login was refused (${describeAnswer(login)})`);
    const token = tokenOf(context, login, 'main');
    if ((await isAccepted(context, token)) === false)
      throw new NotVerified('the token of a second login was refused before it expired; see LOGIN-1');
    return { token, at: login.at };
  });
}

/** The same, past its lifetime: a mock is told to let it expire, with any other its time is waited for. */
function expiredToken(context: Context): Promise<string> {
  return once(context, 'expired token', async () => {
    const { token, at } = await tokenToExpire(context);
    const { control, clock, profile } = context;
    if (control) await expireByControl(control, token);
    else
      await clock.waitUntil(at + profile.values['token.lifetime'] * 1_000 + 500, 'a session token to expire');
    return token;
  });
}

/** A mock knows the tokens that it gave; any other did not come out of a login. */
async function expireByControl(control: Control, token: string): Promise<void> {
  try {
    await control.expireToken(token);
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error;
    throw new NotVerified('the token of a login is not known; see LOGIN-1');
  }
}
