import { call } from '../call.ts';
import type { Check, Need } from '../check.ts';
import { type Context, once } from '../context.ts';
import type { Control } from '../control.ts';
import { type Exchange, succeeded } from '../exchange.ts';
import { expectRefusal, expectSuccess } from '../expect.ts';
import { type Kept, keep } from '../keep.ts';
import { HarnessError, NotVerified } from '../outcomes.ts';
import { inventToken, mainSession, sessionToken, startNewSession, useRenewedToken } from '../session.ts';
import { useToken } from '../use-token.ts';
import { endpoints, twin } from './authentication.ts';
import { renewalWorks, renewedToken } from './refresh.ts';

const needs: readonly Need[] = ['account', 'expiry'];

/** What becomes of a session token that expires. It is that of the run: a second session might end the first one. */
export const expiry: readonly Check[] = [
  ...endpoints.map(({ name, what }) => ({
    id: `auth-5-${name}-with-expired-token`,
    requirement: 'AUTH-5',
    needs: [...needs, 'site', 'creates'] as const,
    run: async (context: Context) => {
      const kept = (await expiredSession(context)).uses.get(name);
      if (!kept) throw new NotVerified('the endpoint was not called with an expired token');
      const { invented, expired } = kept.value();
      if (succeeded(invented)) throw new NotVerified(`${what} takes any token; see AUTH-4`);
      expectRefusal(context, expired, {
        what: `${what} with an expired session token`,
        kind: 'token-expired',
      });
    },
  })),
  {
    id: 'refresh-4-expired-token',
    requirement: 'REFRESH-4',
    needs,
    run: async (context) => {
      await renewalWorks(context);
      const { renewal } = await expiredSession(context);
      expectSuccess(context, renewal, 'the renewal of an expired session token');
      await useToken(context, renewedToken(context, renewal), 'the renewal of an expired token');
    },
  },
];

/** The answers to calls of an endpoint with an invented token and with the expired one. */
interface Uses {
  invented: Exchange;
  expired: Exchange;
}

interface ExpiredSession {
  uses: ReadonlyMap<string, Kept<Uses>>;
  renewal: Exchange;
}

/** Lets the session's token expire, uses it wherever that is looked at, renews it, and goes on with the renewed one. */
function expiredSession(context: Context): Promise<ExpiredSession> {
  return once(context, 'expired session', async () => {
    const canCreate = context.options.tier !== 'smoke' && context.siteId !== undefined;
    const tried = canCreate ? endpoints : [];
    const twins = new Map<string, Kept<void>>();
    for (const { name } of tried) twins.set(name, await keep(() => twin(context, name)));
    const token = await expireToken(context);
    const uses = new Map<string, Kept<Uses>>();
    for (const { name, send } of tried)
      uses.set(
        name,
        await keep(async () => {
          twins.get(name)?.value();
          const invented = await send(context, { token: inventToken(token) });
          return { invented, expired: await send(context, { token }) };
        }),
      );
    const renewal = await call(context, 'refresh', { values: { token }, token });
    const renewed = renewal.values.token;
    if (succeeded(renewal) && typeof renewed === 'string') useRenewedToken(context, renewed);
    else await keep(() => startNewSession(context));
    return { uses, renewal };
  });
}

/** A mock is told to let the session's token expire; with any other deployment its time is waited for. */
async function expireToken(context: Context): Promise<string> {
  await sessionToken(context);
  const { token, since } = await mainSession(context);
  const { control, clock, profile } = context;
  if (control) await expireByControl(control, token);
  else
    await clock.waitUntil(
      since + profile.values['token.lifetime'] * 1_000 + 500,
      'a session token to expire',
    );
  return token;
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
