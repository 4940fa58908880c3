// Logins and session tokens. A run logs in once per user; a renewal replaces the token that later calls use.
import { randomBytes } from 'node:crypto';
import { getAt } from '../../openapi/json-pointer.ts';
import { alreadyMade, type Context, forget, once, oncePerRun, replace } from '../context.ts';
import { describeAnswer, type Exchange, succeeded } from '../core/exchange.ts';
import { NotVerified } from '../core/outcomes.ts';
import { settle } from '../core/settled.ts';
import type { Account } from '../core/suite-options.ts';
import { type CallOptions, call } from './call.ts';
import { isRateLimited } from './expect-answer.ts';

/** Users of one tenant share one login budget. */
export type TenantLabel = 'main' | 'other';

export interface Session {
  token: string;
  /** When the token was issued, in milliseconds since 1970, by the deployment's clock. */
  since: number;
  /** The lifetime in the answer that issued it, in milliseconds; undefined where it shows none. */
  lifetimeMs?: number | undefined;
}

/** For how long a token of unknown lifetime is assumed to be valid, in milliseconds. */
const cautiousLifetimeMs = 600_000;

/** Sends a login without asking the budget. Later calls use its token, for a new session may end the user's last one. */
export async function sendLogin(
  context: Context,
  { username, password }: Partial<Account>,
  options: CallOptions = {},
): Promise<Exchange> {
  const exchange = await call(context, 'login', { values: { username, password }, ...options });
  const { account, other } = context.options;
  const { token } = exchange.values;
  if (!succeeded(exchange) || typeof token !== 'string') return exchange;
  if (username === account?.username) useRenewedToken(context, token, shownLifetimeMs(context, exchange));
  else if (username === other?.username) replace(context, logInOther, { token, since: exchange.at });
  return exchange;
}

/** The main user's current session token. A new login replaces one that may have expired during a long wait. */
export async function sessionToken(context: Context): Promise<string> {
  const session = await mainSession(context);
  if (isYoung(context, session)) return session.token;
  await startNewSession(context);
  return (await mainSession(context)).token;
}

function isYoung({ clock, profile }: Context, { since }: Session): boolean {
  const lifetimeMs = profile.stated.has('token.lifetime')
    ? profile.values['token.lifetime'] * 900
    : cautiousLifetimeMs;
  return clock.now() - since < lifetimeMs;
}

/** The main user's successful login; once a run. */
export const mainLogin = oncePerRun(logInMain);

export function logInMain(context: Context): Promise<Exchange> {
  return logIn(context, context.options.account, 'main');
}

/** The main user's session. */
export const mainSession = oncePerRun(openMainSession);

async function openMainSession(context: Context): Promise<Session> {
  return sessionOf(context, await mainLogin(context), 'main');
}

function sessionOf(context: Context, login: Exchange, tenant: TenantLabel): Session {
  return {
    token: tokenOf(context, login, tenant),
    since: login.at,
    lifetimeMs: shownLifetimeMs(context, login),
  };
}

/** The lifetime that the answer to a login shows, where the profile says where; in milliseconds. */
function shownLifetimeMs({ profile }: Context, { response }: Exchange): number | undefined {
  const pointer = profile.values['login.expires-in'];
  const seconds = pointer === 'absent' ? undefined : getAt(response.json, pointer);
  return typeof seconds === 'number' && seconds > 0 && seconds < 1e8 ? seconds * 1_000 : undefined;
}

/** Makes later calls of the other tenant's user use this session. */
export function useOtherSession(context: Context, session: Session): void {
  context.secrets.add('SITEPUB_OTHER_TOKEN', session.token);
  replace(context, logInOther, session);
}

/** The session of the other tenant's user: of one login in a run, or of a new one where it may have expired. */
export async function otherSession(context: Context): Promise<Session> {
  const session = await once(context, logInOther);
  if (isYoung(context, session)) return session;
  forget(context, logInOther);
  return once(context, logInOther);
}

export async function logInOther(context: Context): Promise<Session> {
  return sessionOf(context, await logIn(context, context.options.other, 'other'), 'other');
}

/**
 * The session of a second user of the tenant, from the login: nobody renews it before it expires. The login counts towards the limit
 * of the tenant.
 */
export async function secondSession(context: Context): Promise<Session> {
  const session = await once(context, logInSecondUser);
  if (isYoung(context, session)) return session;
  forget(context, logInSecondUser);
  return once(context, logInSecondUser);
}

/** Makes the next call log the second user in again, such as after the session has expired. */
export function forgetSecondSession(context: Context): void {
  forget(context, logInSecondUser);
}

async function logInSecondUser(context: Context): Promise<Session> {
  const { second } = context.options;
  if (!second) throw new NotVerified('there are no credentials of a second user');
  await takeLogins(context, 'main', 1);
  const login = await sendPatiently(context, second, 'main');
  if (!succeeded(login))
    throw new NotVerified(`the login of ${second.username} was refused (${describeAnswer(login)})`);
  return sessionOf(context, login, 'main');
}

/** Opens new sessions in place of those that may have expired, so that later calls log nobody in. */
export async function keepSessionsYoung(context: Context): Promise<void> {
  await sessionToken(context);
  const second = await settle(async () => alreadyMade(context, logInSecondUser));
  const session = second.error ? undefined : second.value();
  if (!session || (isYoung(context, session) && (await isStillAccepted(context, session)))) return;
  forget(context, logInSecondUser);
  await settle(() => secondSession(context));
}

async function isStillAccepted(context: Context, { token }: Session): Promise<boolean> {
  return !context.operations.has('listSites') || succeeded(await call(context, 'listSites', { token }));
}

/** Whether a call that has nothing to do with webhooks accepts the session token: the list of sites, or a renewal. */
export const isSessionAccepted = oncePerRun(trySession);

async function trySession(context: Context): Promise<boolean> {
  const token = await sessionToken(context);
  if (listsSitesBySession(context)) return succeeded(await call(context, 'listSites', { token }));
  return succeeded(await renew(context, token));
}

/** Whether the list of sites is a call that a session token is accepted for. */
export function listsSitesBySession({ operations }: Context): boolean {
  const { auth } = operations.get('listSites') ?? {};
  return auth === 'bearer' || auth === 'session';
}

/** Renews a session token; later calls use the new one. */
export async function renew(context: Context, token: string): Promise<Exchange> {
  const exchange = await call(context, 'refresh', { values: { token }, token });
  const renewed = exchange.values.token;
  if (!succeeded(exchange)) return exchange;
  if (typeof renewed === 'string') useRenewedToken(context, renewed);
  // The new token is not where the profile says, and the old one may be invalid by now.
  else await startNewSession(context);
  return exchange;
}

/** Makes later calls use the renewed token; `lifetimeMs` is the lifetime that its answer shows. */
export function useRenewedToken(context: Context, token: string, lifetimeMs?: number): void {
  context.secrets.add('SITEPUB_TOKEN', token);
  replace(context, openMainSession, { token, since: context.clock.now(), lifetimeMs });
}

/** Logs in again, and makes later calls use the new token. */
export async function startNewSession(context: Context): Promise<void> {
  const login = await logIn(context, context.options.account, 'main');
  useRenewedToken(context, tokenOf(context, login, 'main'), shownLifetimeMs(context, login));
}

/** A token that was never issued, of the same length and alphabet as `like`. */
export function inventToken(like: string): string {
  const prefix = /^[a-z]{2,4}_/.exec(like)?.[0] ?? '';
  const length = Math.max(16, like.length - prefix.length);
  return prefix + randomBytes(length).toString('hex').slice(0, length);
}

async function logIn(context: Context, account: Account | undefined, tenant: TenantLabel): Promise<Exchange> {
  if (!account)
    throw new NotVerified(
      `there are no credentials of ${tenant === 'main' ? 'the tenant' : 'another tenant'}`,
    );
  await context.budget.takeNecessary(budgetKey(context, tenant));
  context.recorder?.noteLogins(tenant, 1);
  const login = await sendPatiently(context, account, tenant);
  if (!succeeded(login))
    throw new NotVerified(`the login of ${account.username} was refused (${describeAnswer(login)})`);
  return login;
}

/** By then a limit that lets one login through every six seconds lets one through. */
const pacedMs = 6_300;

/** Logs in again a little later where logins are paced. */
async function sendPatiently(context: Context, account: Account, tenant: TenantLabel): Promise<Exchange> {
  const login = await sendLogin(context, account);
  if (succeeded(login) || !isRateLimited(context, login)) return login;
  await context.clock.pass(pacedMs, 'the login limit to allow another login');
  noteLogin(context, tenant);
  return sendLogin(context, account);
}

/** The token of a login. Throws NotVerified where it is not where the profile says. */
function tokenOf(context: Context, login: Exchange, tenant: TenantLabel): string {
  const { token } = login.values;
  if (typeof token !== 'string') {
    throw new NotVerified(
      `no token at ${context.profile.values['login.token']} in the login answer; state login.token in a profile`,
    );
  }
  context.secrets.add(tenant === 'main' ? 'SITEPUB_TOKEN' : 'SITEPUB_OTHER_TOKEN', token);
  return token;
}

/** The tenant's name in the login budget. */
export function budgetKey({ options }: Context, tenant: TenantLabel): string {
  return `${tenant === 'main' ? options.account?.username : options.other?.username}`;
}

/** Notes the coming logins of a check. Waits for their turn, or throws NotVerified. */
export async function takeLogins(context: Context, tenant: TenantLabel, count: number): Promise<void> {
  context.recorder?.noteLogins(tenant, count);
  await context.budget.take(budgetKey(context, tenant), count);
}

/** Notes a login that is meant to exceed the limit. */
export function noteLogin(context: Context, tenant: TenantLabel): void {
  context.recorder?.noteLogins(tenant, 1);
  context.budget.note(budgetKey(context, tenant));
}

/** The tenant's session token, and its API key where there is one. */
export async function tokensOf(context: Context): Promise<string[]> {
  const { apiKey } = context.options;
  return [await sessionToken(context), ...(apiKey ? [apiKey] : [])];
}
