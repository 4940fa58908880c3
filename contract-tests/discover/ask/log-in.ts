// Logins and renewals of the session.
import { getAt } from '../../../openapi/json-pointer.ts';
import { fillTemplate } from '../../../openapi/template.ts';
import { inventToken } from '../../calls/user-session.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { answerLeaves } from '../../core/json-leaves.ts';
import { mayBeToken } from '../../redaction/learn-tokens.ts';
import { mayWait, type Probe, Stop } from '../probe.ts';
import { pacedMs, sendRequest, untilSettled, waitForNew } from './send.ts';

/** Counts each login in the tenant's budget before it is sent. */
export async function sendLogin(probe: Probe, changes: { password?: string } = {}): Promise<Exchange> {
  const send = () => sendOneLogin(probe, changes);
  return untilSettled(probe, send, { anyAnswer: true, mayLockOut: changes.password !== undefined });
}

async function sendOneLogin(probe: Probe, changes: { password?: string }): Promise<Exchange> {
  const { options, session, clock } = probe;
  const { account } = options;
  if (!account)
    throw new Stop('credentials', 'no user to log in with; set SITEPUB_USERNAME and SITEPUB_PASSWORD');
  await waitForPace(probe);
  await session.budget.takeNecessary(account.username);
  session.lastLogin = clock.now();
  session.logins++;
  const body = { username: account.username, password: account.password, ...changes };
  return sendRequest(probe, { operation: 'login', path: '/auth/tenant/login', body });
}

/** A limit may allow one login per six seconds and lock the user out for minutes after the next one. */
async function waitForPace(probe: Probe): Promise<void> {
  const { clock, session } = probe;
  const waitMs = session.lastLogin === undefined ? 0 : session.lastLogin + pacedMs - clock.now();
  if (waitMs > 0 && mayWait(probe, pacedMs)) await clock.pass(waitMs, 'the next login');
}

export interface TokenCandidate {
  pointer: string;
  token: string;
}

/** Texts of an answer that may be a token, likeliest first. Registers them as secrets. */
export function tokenCandidates({ options, secrets }: Probe, { response }: Exchange): TokenCandidate[] {
  const texts = answerLeaves(response.json).flatMap(({ pointer, value }) =>
    typeof value === 'string' && mayBeToken(value) && value !== options.account?.username
      ? [{ pointer, token: value }]
      : [],
  );
  for (const { token } of texts) if (/\d/.test(token)) secrets.add('SITEPUB_TOKEN', token);
  return texts.sort((one, other) => rank(one.pointer) - rank(other.pointer));
}

function rank(pointer: string): number {
  if (/refresh/i.test(pointer)) return 4;
  if (/access_?token/i.test(pointer)) return 0;
  if (/token/i.test(pointer)) return 1;
  return /jwt|bearer|session|credential|auth/i.test(pointer) ? 2 : 3;
}

/** A token in the same format that no deployment has issued. */
export function inventedToken(like: string | undefined): string {
  return inventToken(like ?? 'st_0123456789abcdef0123456789abcdef');
}

async function useToken(probe: Probe, token: string): Promise<void> {
  probe.session.token = token;
  probe.session.tokenSince = probe.clock.now();
  if (probe.seen.settlesLate) await waitForNew(probe);
}

export function sendRefresh(probe: Probe, token: string | undefined, body?: unknown): Promise<Exchange> {
  return sendRequest(probe, { path: '/auth/refresh', token, body });
}

/** Returns the old token, or undefined if the renewal failed. */
export async function renewSession(probe: Probe): Promise<string | undefined> {
  const old = probe.session.token;
  const renewal = await sendRefresh(probe, old);
  const known = probe.findings.value('refresh.request');
  const answer =
    succeeded(renewal) || typeof known !== 'object'
      ? renewal
      : await sendRefresh(probe, old, fillTemplate(known, { token: old }));
  return (await useRenewedToken(probe, answer)) ? old : undefined;
}

/** Switches to the renewed token if its pointer is known. Returns whether it did. */
export async function useRenewedToken(probe: Probe, renewal: Exchange): Promise<boolean> {
  const pointer = probe.findings.value('refresh.token');
  const token = typeof pointer === 'string' ? getAt(renewal.response.json, pointer) : undefined;
  if (!succeeded(renewal) || typeof token !== 'string' || !mayBeToken(token)) return false;
  probe.secrets.add('SITEPUB_TOKEN', token);
  await useToken(probe, token);
  return true;
}

export async function logInAgain(probe: Probe): Promise<void> {
  const login = await sendLogin(probe);
  const pointer = probe.findings.value('login.token');
  const candidate = tokenCandidates(probe, login).find((one) => one.pointer === pointer);
  if (succeeded(login) && candidate) await useToken(probe, candidate.token);
}

/** How long a token of unknown lifetime is used, in milliseconds. */
const cautiousLifetimeMs = 60_000;

/** Renews the session if it may expire during the next steps. */
export async function ensureSession(probe: Probe): Promise<void> {
  const { tokenSince } = probe.session;
  const lifetime = probe.findings.value('token.lifetime');
  const allowedMs = typeof lifetime === 'number' ? lifetime * 600 : cautiousLifetimeMs;
  if (tokenSince === undefined || probe.clock.now() - tokenSince <= allowedMs) return;
  if (probe.options.account && (await renewSession(probe)) === undefined) await logInAgain(probe);
}
