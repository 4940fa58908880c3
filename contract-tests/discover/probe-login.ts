// The login: whether the deployment answers as it ought to at all, and what can be read from the answer.

import { inventToken } from '../calls/user-session.ts';
import { describeAnswer, type Exchange, succeeded } from '../core/exchange.ts';
import { ask, hasEnvelope, noteRefusal, type Probe, progress, Stop } from './discovery-probe.ts';
import { answerLeaves } from './json-leaves.ts';
import { explainUnexpectedAnswer, isRateRefusal } from './unexpected-answer.ts';

/** Sees whether the deployment answers in the envelope, before any credentials are sent there. Throws Stop where it does not. */
export async function reach(probe: Probe): Promise<void> {
  const { baseUrl } = probe.options;
  if (!new URL(baseUrl).pathname.endsWith('/api/v1'))
    throw new Stop(
      'strange',
      `the base address ${baseUrl} does not end in /api/v1 (VERSION-1), so nothing was sent there`,
    );
  progress(probe, 'reaching the deployment');
  const anonymous = await ask(probe, { path: '/auth/refresh' });
  if (hasEnvelope(anonymous)) {
    if (!isRateRefusal(anonymous)) noteRefusal(probe, 'unauthenticated', anonymous);
    return;
  }
  // It may be that renewals alone are missing.
  const isMissing =
    [404, 405, 501].includes(anonymous.response.status) && probe.options.account !== undefined;
  if (!isMissing) throw explainUnexpectedAnswer(probe, anonymous, 'a refresh without Authorization');
}

/** Logs in, and enters everything that the answer shows. Throws Stop where it is refused. */
export async function probeLogin(probe: Probe): Promise<Exchange> {
  progress(probe, 'logging in');
  const login = await sendLogin(probe, {});
  if (!hasEnvelope(login)) throw explainUnexpectedAnswer(probe, login, 'the login');
  if (!succeeded(login)) throw refused(probe, login);
  probe.findings.found('login.status', login.response.status, 'the status of the login answer');
  findExpiry(probe, login);
  return login;
}

interface LoginWish {
  password?: string;
  /** Whether it is to go beyond the limit. */
  isBeyond?: boolean;
}

/** Every login is entered in the tenant's budget before it is sent. */
export async function sendLogin(
  probe: Probe,
  { isBeyond = false, ...different }: LoginWish,
): Promise<Exchange> {
  const { account } = probe.options;
  if (!account) throw new Stop('credentials', 'there are no credentials to log in with');
  if (isBeyond) probe.budget.note(account.username);
  else await probe.budget.takeNecessary(account.username);
  probe.count.logins++;
  const body = { username: account.username, password: account.password, ...different };
  return ask(probe, { operation: 'login', path: '/auth/tenant/login', body });
}

function refused(probe: Probe, login: Exchange): Stop {
  const answer = probe.secrets.redact(describeAnswer(login));
  if (isRateRefusal(login))
    return new Stop(
      'strange',
      `the login was refused for its rate (${answer}): somebody else uses the tenant's 10 logins a minute; run again a minute later`,
    );
  if (login.response.status >= 500) return explainUnexpectedAnswer(probe, login, 'the login');
  return new Stop(
    'credentials',
    `the login of ${probe.options.account?.username} was refused (${answer}); check SITEPUB_USERNAME and SITEPUB_PASSWORD`,
  );
}

/** A text that nobody was given as a token, shaped as one. */
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
    typeof value === 'string' && /^[\w.~+/=-]{8,}$/.test(value) && value !== probe.options.account?.username
      ? [{ pointer, token: value }]
      : [],
  );
  for (const { token } of texts) if (/\d/.test(token)) probe.secrets.add('SITEPUB_TOKEN', token);
  return texts.sort((one, other) => rank(one.pointer) - rank(other.pointer));
}

/** By what the places are called. */
function rank(pointer: string): number {
  if (/refresh/i.test(pointer)) return 4;
  if (/access_?token/i.test(pointer)) return 0;
  if (/token/i.test(pointer)) return 1;
  return /jwt|bearer|session|credential|auth/i.test(pointer) ? 2 : 3;
}

const expiryName = /expires?_?in|ttl|life_?time|valid_?(for|seconds)|expir(y|es|ation)_?(seconds|in)?$/i;
const yearSeconds = 31_536_000;

function findExpiry({ findings }: Probe, { response }: Exchange): undefined {
  const leaf = answerLeaves(response.json).find(
    ({ name, value }) =>
      expiryName.test(name) && Number.isInteger(value) && Number(value) >= 1 && Number(value) <= yearSeconds,
  );
  if (!leaf) return findings.found('login.expires-in', 'absent', 'the login answer has no such number');
  const evidence = `the login answer had the whole number ${leaf.value} at ${leaf.pointer}`;
  findings.found('login.expires-in', leaf.pointer, evidence);
  findings.found('token.lifetime', leaf.value, evidence);
}
