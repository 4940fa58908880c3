// The login: whether the deployment answers in the envelope at all, and what the answer shows.
import { inventToken } from '../../calls/user-session.ts';
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { answerLeaves } from '../../core/json-leaves.ts';
import { mayBeToken } from '../../redaction/learn-tokens.ts';
import { mayWait, noteRefusal, type Probe, reportProgress, Stop } from '../discovery-probe.ts';
import { hasEnvelope, isRateRefusal } from '../refusals.ts';
import { pacedMs, sendRequest, untilSettled } from '../send-request.ts';
import { explainUnexpectedAnswer } from '../unexpected-answer.ts';
import { findExpiry } from './login-expiry.ts';

/** Checks that the deployment answers in the envelope, before any credentials are sent there. Throws Stop when it does not. */
export async function reachDeployment(probe: Probe): Promise<void> {
  const { baseUrl } = probe.options;
  if (!new URL(baseUrl).pathname.endsWith('/api/v1'))
    throw new Stop(
      'unexpected',
      `the base address ${baseUrl} does not end in /api/v1 (VERSION-1), so nothing was sent there`,
    );
  reportProgress(probe, 'reaching the deployment');
  const anonymous = await sendRequest(probe, { path: '/auth/refresh', anyAnswer: true });
  if (hasEnvelope(anonymous)) {
    noteRefusal(probe, 'unauthenticated', anonymous);
    return;
  }
  // Perhaps only the renewal is missing.
  const hasNoRenewal =
    [404, 405, 501].includes(anonymous.response.status) && probe.options.account !== undefined;
  if (!hasNoRenewal) throw explainUnexpectedAnswer(probe, anonymous, 'a refresh without Authorization');
}

/** Logs in, and adds what the answer shows to the findings. Throws Stop when the login is refused. */
export async function probeLogin(probe: Probe): Promise<Exchange> {
  reportProgress(probe, 'logging in');
  const login = await sendLogin(probe);
  if (!hasEnvelope(login)) throw explainUnexpectedAnswer(probe, login, 'the login');
  if (!succeeded(login)) throw explainRefusedLogin(probe, login);
  probe.hasLoggedIn = true;
  probe.findings.found('login.status', login.response.status, 'the status of the login answer');
  findExpiry(probe, login);
  return login;
}

/** Every login is counted in the tenant's budget before it is sent. */
export async function sendLogin(probe: Probe, changes: { password?: string } = {}): Promise<Exchange> {
  const send = () => sendOneLogin(probe, changes);
  return untilSettled(probe, send, { anyAnswer: true, mayLockOut: changes.password !== undefined });
}

async function sendOneLogin(probe: Probe, changes: { password?: string }): Promise<Exchange> {
  const { account } = probe.options;
  if (!account) throw new Stop('credentials', 'there are no credentials to log in with');
  await keepPace(probe);
  await probe.budget.takeNecessary(account.username);
  probe.lastLogin = probe.clock.now();
  probe.count.logins++;
  const body = { username: account.username, password: account.password, ...changes };
  return sendRequest(probe, { operation: 'login', path: '/auth/tenant/login', body });
}

/** A limit may let one login through every six seconds, and lock the user out for minutes at the next. */
async function keepPace(probe: Probe): Promise<void> {
  const { clock, lastLogin } = probe;
  const waitMs = lastLogin === undefined ? 0 : lastLogin + pacedMs - clock.now();
  if (waitMs > 0 && mayWait(probe, pacedMs)) await clock.pass(waitMs, 'another login');
}

function explainRefusedLogin(probe: Probe, login: Exchange): Stop {
  const answer = probe.secrets.redact(describeAnswer(login));
  if (isRateRefusal(login))
    return new Stop(
      'unexpected',
      `the login was refused for its rate (${answer}): somebody else uses the tenant's 10 logins a minute; run again a minute later`,
    );
  if (login.response.status >= 500) return explainUnexpectedAnswer(probe, login, 'the login');
  return new Stop(
    'credentials',
    `the login of ${probe.options.account?.username} was refused (${answer}); check SITEPUB_USERNAME and SITEPUB_PASSWORD`,
  );
}

/** A text in the form of a token that no deployment has issued. */
export function inventedToken(like: string | undefined): string {
  return inventToken(like ?? 'st_0123456789abcdef0123456789abcdef');
}

export interface TokenCandidate {
  pointer: string;
  token: string;
}

/** Texts of an answer that may be a token, the likeliest first. All of them are secrets from now on. */
export function tokenCandidates(probe: Probe, { response }: Exchange): TokenCandidate[] {
  const texts = answerLeaves(response.json).flatMap(({ pointer, value }) =>
    typeof value === 'string' && mayBeToken(value) && value !== probe.options.account?.username
      ? [{ pointer, token: value }]
      : [],
  );
  for (const { token } of texts) if (/\d/.test(token)) probe.secrets.add('SITEPUB_TOKEN', token);
  return texts.sort((one, other) => rank(one.pointer) - rank(other.pointer));
}

/** The token in the answer to a login, where its place is known. */
export function tokenIn(probe: Probe, login: Exchange): string | undefined {
  const pointer = probe.findings.value('login.token');
  return tokenCandidates(probe, login).find((one) => one.pointer === pointer)?.token;
}

/** By the names in the pointer. */
function rank(pointer: string): number {
  if (/refresh/i.test(pointer)) return 4;
  if (/access_?token/i.test(pointer)) return 0;
  if (/token/i.test(pointer)) return 1;
  return /jwt|bearer|session|credential|auth/i.test(pointer) ? 2 : 3;
}
