import { call } from '../../calls/call.ts';
import { expectRefusal, expectSuccess } from '../../calls/expect-answer.ts';
import { untilAccepted } from '../../calls/look-again.ts';
import {
  inventToken,
  mainSession,
  renew,
  sessionToken,
  startNewSession,
  useRenewedToken,
} from '../../calls/user-session.ts';
import type { Check, Need } from '../../check.ts';
import { type Context, forget, once } from '../../context.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { NotApplicable, NotVerified, PromiseBroken, WronglyRefused } from '../../core/outcomes.ts';
import { settle } from '../../core/settled.ts';
import { nearMissTokens } from '../../credentials/near-misses.ts';
import { isAccepted, isSessionUsable, useToken } from '../../credentials/use-token.ts';

const needs: readonly Need[] = ['account'];

/** What comes with a renewal in place of the token as Bearer. */
const wrongHeaders: readonly WrongHeader[] = [
  { name: 'no-authorization', what: 'without Authorization', headers: () => ({}) },
  {
    name: 'other-scheme',
    what: 'with another scheme than Bearer',
    isRemarked: true,
    headers: (token: string) => ({
      Authorization: `Basic ${Buffer.from(`bearer:${token}`).toString('base64')}`,
    }),
  },
  {
    name: 'token-behind-another-word',
    what: 'with another word than Bearer before the token',
    isRemarked: true,
    headers: (token: string) => ({ Authorization: `Token ${token}` }),
  },
  {
    name: 'empty-bearer',
    what: 'with the word Bearer and no token',
    headers: () => ({ Authorization: 'Bearer' }),
  },
];

interface WrongHeader {
  name: string;
  /** Completes "a renewal …". */
  what: string;
  headers(token: string): Record<string, string>;
  /** Whether a renewal is only remarked, for a valid token came along. */
  isRemarked?: boolean;
}

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
  ...wrongHeaders.map<Check>(({ name, what, headers, isRemarked }) => ({
    id: `refresh-2-${name}`,
    requirement: 'REFRESH-2',
    needs,
    run: async (context) => {
      await requireRenewable(context);
      const token = await sessionToken(context);
      const options = { values: { token }, token: null, headers: headers(token) };
      const exchange = await call(context, 'refresh', options);
      if (isRemarked && succeeded(exchange)) {
        context.remarks.add('other-scheme', `a renewal ${what} is accepted`);
        throw new NotApplicable(`a renewal ${what} is accepted; see the remark other-scheme`);
      }
      expectRefusal(context, exchange, { what: `a renewal ${what}`, kind: 'unauthenticated' });
    },
  })),
  {
    id: 'refresh-3-invented-token',
    requirement: 'REFRESH-3',
    needs,
    run: async (context) => {
      await requireRenewable(context);
      await requireTokenRefused(context, inventToken(await sessionToken(context)), 'an invented token');
    },
  },
  {
    id: 'refresh-3-nearly-right-token',
    requirement: 'REFRESH-3',
    needs,
    run: async (context) => {
      await requireRenewable(context);
      for (const { how, text } of nearMissTokens(await sessionToken(context)))
        await requireTokenRefused(context, text, `a token ${how}`);
    },
  },
];

/** Throws NotVerified where not even the session token is renewed. */
async function requireRenewable(context: Context): Promise<void> {
  const exchange = await once(context, renewMainSession);
  if (!succeeded(exchange)) throw new NotVerified('a session token is not renewed; see REFRESH-1');
}

async function requireTokenRefused(context: Context, token: string, which: string): Promise<void> {
  // A body would show most of a real token. The header is hidden as a whole.
  if (context.profile.values['refresh.request'] !== 'none')
    context.secrets.add('SITEPUB_INVENTED_TOKEN', token);
  const exchange = await call(context, 'refresh', { values: { token }, token });
  expectRefusal(context, exchange, { what: `the renewal of ${which}`, kind: 'unauthenticated' });
}

/** Where somebody has ended the session, a new one is renewed. */
async function requireRenewal(context: Context): Promise<void> {
  const renewal = await settle(() => requireFirstRenewal(context));
  if (!(renewal.error instanceof PromiseBroken)) return renewal.value();
  await requireUsableSession(context);
  forget(context, renewMainSession);
  await requireFirstRenewal(context);
}

/** Starts a new session. Throws NotVerified where its token is refused as well: then a refusal says nothing of renewals. */
async function requireUsableSession(context: Context): Promise<void> {
  await startNewSession(context);
  const { error } = await settle(async () => useToken(context, await sessionToken(context), 'a new token'));
  if (error instanceof PromiseBroken)
    throw new NotVerified(`a new session token is refused as well (${error.actual}); see LOGIN-1`);
  if (error) throw error;
}

/**
 * Uses the token of a renewal, and again that of a new session where it is refused: the new session's own token is taken before that. A login may end the other
 * sessions of the user, so the same token can't be tried again.
 */
async function useRenewed(
  context: Context,
  { renewal, what, renewAgain }: { renewal: Exchange; what: string; renewAgain: () => Promise<Exchange> },
): Promise<void> {
  const used = await settle(() => useToken(context, renewedToken(context, renewal), what));
  if (!(used.error instanceof WronglyRefused)) return used.value();
  const again = async () => {
    await requireUsableSession(context);
    const exchange = await renewAgain();
    expectSuccess(context, exchange, 'the renewal of a session token');
    const next = await settle(() => useToken(context, renewedToken(context, exchange), what));
    await startNewSession(context);
    if (next.error instanceof WronglyRefused) return next.error.refusal;
    next.value();
    return exchange;
  };
  const { expected, refusal } = used.error;
  throw new WronglyRefused(expected, refusal, { again, plain: null, looks: 1 });
}

async function requireFirstRenewal(context: Context): Promise<void> {
  const exchange = await once(context, renewMainSession);
  if (!succeeded(exchange) && !(await isSessionUsable(context)))
    throw new NotVerified('no other call accepts the session token either; see LOGIN-1');
  expectSuccess(context, exchange, 'the renewal of a session token');
  const renewAgain = async () => renew(context, await sessionToken(context));
  await useRenewed(context, { renewal: exchange, what: 'a renewed token', renewAgain });
}

/** A renewed token is a session token as well. */
async function requireRenewalAgain(context: Context): Promise<void> {
  await buildOn(once(context, requireRenewal));
  const first = await sessionToken(context);
  const renewAgain = async () => {
    expectSuccess(
      context,
      await renew(context, await sessionToken(context)),
      'the renewal of a session token',
    );
    return renew(context, await sessionToken(context));
  };
  const exchange = await renew(context, first);
  expectSuccess(context, exchange, 'the renewal of a renewed token', { again: renewAgain });
  const what = 'a token that was renewed twice';
  const used = await settle(() => useRenewed(context, { renewal: exchange, what, renewAgain }));
  if (used.error) await goBack(context, first);
  used.value();
}

/** Goes on with an earlier token of the session, or with a new session where that one has ended. */
async function goBack(context: Context, token: string): Promise<void> {
  if (await isAccepted(context, token)) useRenewedToken(context, token);
  else await startNewSession(context);
}

/** Throws NotVerified where not even a valid token is renewed to one that works (REFRESH-1). */
export function renewalWorks(context: Context): Promise<void> {
  return buildOn(once(context, requireRenewalAgain));
}

/** A broken promise of the step is reported by its own check; here it leaves the check that needs the step unverified. */
async function buildOn(step: Promise<void>): Promise<void> {
  const { error } = await settle(() => step);
  if (error instanceof PromiseBroken) throw new NotVerified('a session token is not renewed; see REFRESH-1');
  if (error) throw error;
}

/** The session's token is renewed once; from then on the run uses the renewed one, since the old one may have ended. */
async function renewMainSession(context: Context): Promise<Exchange> {
  const { token } = await mainSession(context);
  const exchange = await untilAccepted(context, () => call(context, 'refresh', { values: { token }, token }));
  const renewed = exchange.values.token;
  if (succeeded(exchange) && typeof renewed === 'string') {
    useRenewedToken(context, renewed);
    await chooseToken(context, token, renewed);
  } else if (succeeded(exchange) && !(await isAccepted(context, token))) {
    // The old token has ended, and the new one is not where the profile says.
    await startNewSession(context);
  }
  return exchange;
}

/** Notes whether the old token has ended. Where only the old one is accepted, the run goes on with it: one broken promise is enough. */
async function chooseToken(context: Context, old: string, renewed: string): Promise<void> {
  const isOldAccepted = await isAccepted(context, old);
  if (isOldAccepted === undefined) return;
  const isNewAccepted = await isAccepted(context, renewed);
  // A full site accepts neither.
  if (isOldAccepted || isNewAccepted)
    context.observations.compare('refresh.old-token', isOldAccepted ? 'kept' : 'ended');
  if (isOldAccepted && !isNewAccepted) useRenewedToken(context, old);
}

/** The token in the answer of a renewal, or the gap that hides it. */
export function renewedToken({ profile, secrets }: Context, exchange: Exchange): string {
  const { token } = exchange.values;
  if (typeof token !== 'string') {
    throw new NotVerified(
      `no token at ${profile.values['refresh.token']} in the answer to a renewal; state refresh.token in a profile`,
    );
  }
  secrets.add('SITEPUB_TOKEN', token);
  return token;
}
