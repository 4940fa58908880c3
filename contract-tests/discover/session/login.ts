// The login: whether the deployment answers in the envelope at all, and what the answer shows.
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { sendLogin } from '../ask/keep-session.ts';
import { hasEnvelope, isRateRefusal, noteRefusal } from '../ask/refusals.ts';
import { sendRequest } from '../ask/send.ts';
import { explainUnexpectedAnswer } from '../ask/unexpected.ts';
import { type Probe, reportProgress, Stop } from '../probe.ts';
import { findExpiry } from './lifetime.ts';

/** Checks that the deployment answers in the envelope, before any credentials are sent there. Throws Stop when it does not. */
export async function reachDeployment(probe: Probe): Promise<void> {
  const { baseUrl, account } = probe.options;
  if (!new URL(baseUrl).pathname.endsWith('/api/v1'))
    throw new Stop(
      'unexpected',
      `the base address ${baseUrl} does not end in /api/v1 (VERSION-1), so nothing was sent there`,
    );
  reportProgress(probe, 'reaching the deployment');
  const anonymous = await sendRequest(probe, { path: '/auth/refresh', anyAnswer: true });
  if (hasEnvelope(anonymous)) return noteRefusal(probe, 'unauthenticated', anonymous);
  // Perhaps only the renewal is missing.
  const hasNoRenewal = [404, 405, 501].includes(anonymous.response.status) && account !== undefined;
  if (!hasNoRenewal) throw explainUnexpectedAnswer(probe, anonymous, 'a refresh without Authorization');
}

/** Logs in, and adds what the answer shows to the findings. Throws Stop when the login is refused. */
export async function probeLogin(probe: Probe): Promise<Exchange> {
  reportProgress(probe, 'logging in');
  const login = await sendLogin(probe);
  if (!hasEnvelope(login)) throw explainUnexpectedAnswer(probe, login, 'the login');
  if (!succeeded(login)) throw explainRefusedLogin(probe, login);
  probe.session.hasLoggedIn = true;
  probe.findings.found('login.status', login.response.status, 'the status of the login answer');
  findExpiry(probe, login);
  return login;
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
