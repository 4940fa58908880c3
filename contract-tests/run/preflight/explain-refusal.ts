// Explains why the first login was refused: address, credentials, rate limit or the service itself.
import { codeOf } from '../../../openapi/error-codes.ts';
import { call } from '../../calls/call.ts';
import { isRateLimited, isUnavailable } from '../../calls/expect-answer.ts';
import { budgetKey, inventToken, sendLogin } from '../../calls/user-session.ts';
import type { Context } from '../../context.ts';
import { perMinute, windowMs } from '../../core/documented-limits.ts';
import {
  describeAnswer,
  type Exchange,
  envelopeOf,
  placeOfRedirect,
  succeeded,
} from '../../core/exchange.ts';
import { askedPauseMs } from '../../core/failures.ts';
import { whyNotJson } from '../../core/not-json.ts';
import type { Abort } from '../../core/outcomes.ts';
import { settle } from '../../core/settled.ts';
import { checkScheme } from './check-addresses.ts';
import { isLikeUnknownPath } from './harmless-calls.ts';
import { findOtherAddress } from './other-address.ts';

/** The pause before the run retries a login that failed with a server error, in milliseconds. */
const failureMs = 1_000;

/** Why the run ends after a refused login, and what to do. Undefined if the refusal itself breaks a promise. */
export async function explainRefusal(context: Context, login: Exchange): Promise<Abort | undefined> {
  const answer = context.secrets.redact(describeAnswer(login));
  if (isRateLimited(context, login))
    return isUnavailable(context, login) ? failing(context, answer) : limited(answer);
  if (isBadCredentials(context, login)) return wrongCredentials(context, answer);
  if (envelopeOf(login).code === undefined) return outsideEnvelope(context, login, answer);
  if (await isLikeUnknownPath(context, login)) return noSuchPath(context, answer);
  return login.response.status >= 500 ? failing(context, answer) : wrongCredentials(context, answer);
}

/** Whether the refusal has the profile's code for a wrong password; then an API key would not help. */
export function isBadCredentials({ profile }: Context, login: Exchange): boolean {
  const { code } = envelopeOf(login);
  return code === codeOf(profile, 'bad-credentials') && code !== codeOf(profile, 'unauthenticated');
}

/** Logs in again: after a minute if the tenant's logins are used up and --max-wait allows it, or soon after a server error. */
export async function retryLogin(context: Context, login: Exchange): Promise<Exchange> {
  const { options, clock, budget } = context;
  if (isRateLimited(context, login) && !isUnavailable(context, login)) {
    if (!clock.isMoved && options.maxWaitMs < windowMs) return login;
    await clock.pass(
      windowMs,
      `new logins, because other clients have used up the ${perMinute} of this minute`,
    );
  } else if (!succeeded(login) && login.response.status >= 500) {
    await clock.pass(Math.max(failureMs, askedPauseMs(login)), 'the login to work again');
    await budget.takeNecessary(budgetKey(context, 'main'));
  } else return login;
  return sendLogin(context, { ...options.account });
}

function limited(answer: string): Abort {
  const reason = `the login was rate limited (${answer}): other clients use the tenant's ${perMinute} logins per minute; run again in a minute or with --max-wait ${windowMs / 1_000}s`;
  return { kind: 'rate-limited', reason };
}

function wrongCredentials({ options: { account } }: Context, answer: string): Abort {
  const advice = adviceOnPassword(account?.password ?? '');
  return {
    kind: 'credentials',
    reason: `the login of ${account?.username} was refused (${answer}); ${advice}`,
  };
}

function adviceOnPassword(password: string): string {
  if (password.startsWith('sp_'))
    return 'SITEPUB_PASSWORD begins with sp_ like an API key: set that value as SITEPUB_API_KEY and the user password as SITEPUB_PASSWORD';
  const hint = password === password.trim() ? '' : '; the password begins or ends with white space';
  return `check SITEPUB_USERNAME and SITEPUB_PASSWORD${hint}`;
}

async function noSuchPath(context: Context, answer: string): Promise<Abort> {
  const { baseUrl } = context.options;
  const other = await findOtherAddress(baseUrl, 'path');
  if (other)
    return { kind: 'usage', reason: `there is no login at ${baseUrl} (${answer}); did you mean ${other}?` };
  return {
    kind: 'credentials',
    reason: `${baseUrl} answers the login like an unknown path (${answer}); check --base-url, SITEPUB_USERNAME and SITEPUB_PASSWORD`,
  };
}

function failing({ options: { baseUrl } }: Context, answer: string): Abort {
  const reason = `the login at ${baseUrl} fails (${answer}): the service or a gateway is down; try again later`;
  return { kind: 'unreachable', reason };
}

async function outsideEnvelope(
  context: Context,
  { response }: Exchange,
  answer: string,
): Promise<Abort | undefined> {
  const why = response.json === undefined ? whyNotJson(response.text) : undefined;
  const { baseUrl } = context.options;
  if (await renewsInEnvelope(context)) return undefined;
  const otherScheme = baseUrl.startsWith('http:') ? await checkScheme(baseUrl) : undefined;
  if (otherScheme) return otherScheme;
  const what = `${baseUrl} does not answer the login with the envelope (${answer})`;
  const other = (await findOtherAddress(baseUrl, 'path')) ?? (await findOtherAddress(baseUrl, 'origin'));
  if (other) return { kind: 'usage', reason: `${what}; did you mean ${other}?` };
  const advice = why === undefined ? `; ${adviceOn(response)}` : `: the body ${why}; see ENV-7`;
  return { kind: 'unreachable', reason: `${what}${advice}` };
}

/** Whether a renewal with a made-up token gets the envelope. If so, this is the service, and the login broke a promise. */
async function renewsInEnvelope(context: Context): Promise<boolean> {
  const token = inventToken('');
  const renewal = await settle(() => call(context, 'refresh', { token, values: { token } }));
  return !renewal.error && Number.isInteger(envelopeOf(renewal.value()).code);
}

/** Guesses from the answer which gateway is in front of the service. */
function adviceOn(response: Exchange['response']): string {
  const { status, headers } = response;
  const place = placeOfRedirect(response);
  if (status >= 300 && status < 400 && place !== undefined)
    return `it redirects to ${place}: pass that address as --base-url`;
  if (status === 401 && headers['www-authenticate'] !== undefined)
    return 'a gateway in front of the service asks for credentials: send them with --header';
  if (status === 403)
    return 'a gateway in front of the service refuses this machine: check --base-url and the network (VPN, allowed addresses), or send the required header with --header';
  return 'this may not be the service; check --base-url';
}
