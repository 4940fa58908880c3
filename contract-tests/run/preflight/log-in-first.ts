// The first login of a run. Without a user: a call without credentials.
import { call } from '../../calls/call.ts';
import { refusalOfInvented } from '../../calls/live-session.ts';
import { budgetKey, logInMain, sendLogin } from '../../calls/user-session.ts';
import { versioning } from '../../checks/envelope/versioning.ts';
import { type Context, replace } from '../../context.ts';
import { perMinute } from '../../core/documented-limits.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { type Abort, NotVerified, PromiseBroken, Unreachable } from '../../core/outcomes.ts';
import { settle } from '../../core/settled.ts';
import { checkScheme } from './check-addresses.ts';
import { givesToken } from './check-token.ts';
import { explainRefusal, isBadCredentials, retryLogin } from './explain-refusal.ts';
import { answersLogin, findOtherAddress } from './other-address.ts';

const mostTries = 3;
const pauseMs = 700;

/** Reaches the deployment and logs in. The run needs `planned` logins in total. Returns why no check can run, if so. */
export async function logInFirst(context: Context, planned = 1): Promise<Abort | undefined> {
  if (!hasVersion(context)) return wrongAddress(context);
  const usedUp = loginsUsedUp(context, planned);
  if (usedUp) return usedUp;
  try {
    return await trySeveralTimes(context, () =>
      context.options.account ? logIn(context) : callWithoutCredentials(context),
    );
  } catch (error) {
    if (error instanceof Unreachable) return explainSilence(context, error);
    // If the profile states the wrong place of the token, each check that needs the token says so.
    if (error instanceof NotVerified) return undefined;
    throw error;
  }
}

async function wrongAddress({ options: { baseUrl } }: Context): Promise<Abort> {
  const what = `the base URL ${baseUrl} does not end in /api/v1`;
  const other = await findOtherAddress(baseUrl, 'path');
  if (other) return { kind: 'usage', reason: `${what}; did you mean ${other}?` };
  if (await answersLogin(baseUrl))
    return { kind: 'wrong-address', reason: `${what} (VERSION-1), so the run sent no credentials there` };
  return { kind: 'usage', reason: `${what}, and no similar address answers; check --base-url` };
}

/** Retries after a lost answer, but not after a refused connection or a wrong scheme. */
async function trySeveralTimes(
  context: Context,
  work: () => Promise<Abort | undefined>,
): Promise<Abort | undefined> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const isDead = !(error instanceof Unreachable) || error.isCertain || lasting.test(error.message);
      if (isDead || tries === mostTries) throw error;
      // Ask once: it takes seconds, and the answer stays the same.
      const otherScheme = tries === 1 ? await checkScheme(context.options.baseUrl) : undefined;
      if (otherScheme) return otherScheme;
      await context.clock.pass(pauseMs, 'the deployment to answer');
    }
  }
}

function explainSilence({ options: { baseUrl } }: Context, { message }: Unreachable): Abort {
  const reason = `cannot reach ${baseUrl}: ${message.replace(/\s+/g, ' ').trim()}; ${adviceOn(message)}`;
  return { kind: 'unreachable', reason };
}

function adviceOn(message: string): string {
  if (/altnames/i.test(message)) return 'use a host name in --base-url that the certificate covers';
  if (/certificate/i.test(message))
    return 'set NODE_EXTRA_CA_CERTS to the file with the certificate of the authority';
  return 'check --base-url and that the service is running';
}

/** Errors that a retry would meet again. */
const lasting = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EPROTO|certificate/i;

function hasVersion(context: Context): boolean {
  try {
    for (const check of versioning) check.run(context);
    return true;
  } catch (error) {
    if (error instanceof PromiseBroken) return false;
    throw error;
  }
}

async function callWithoutCredentials(context: Context): Promise<undefined> {
  await call(context, 'refresh', { token: null, values: { token: 'none' } });
}

async function logIn(context: Context): Promise<Abort | undefined> {
  const { options, budget } = context;
  // Earlier runs may have used up the limits of the mock.
  await context.control?.clearLimits();
  await budget.takeNecessary(budgetKey(context, 'main'));
  const login = await retryLogin(context, await sendLogin(context, { ...options.account }));
  // An answer with a token is not a refusal. The checks judge its code and envelope.
  if (succeeded(login) || (await givesToken(context, login))) {
    await continueWithLogin(context, login);
    return undefined;
  }
  if (!isBadCredentials(context, login) && (await logInWithAuthorization(context))) return undefined;
  return explainRefusal(context, login);
}

/** Why the run ends: earlier runs left too few logins of this minute, and --max-wait does not allow to wait. */
function loginsUsedUp({ options, budget, clock }: Context, planned: number): Abort | undefined {
  if (!options.account) return undefined;
  const tenant = options.account.username;
  const seconds = Math.ceil(budget.waitMs(tenant, planned) / 1_000);
  if (clock.isMoved || seconds * 1_000 <= options.maxWaitMs) return undefined;
  const made = budget.recent(tenant).length;
  const reason = `earlier runs used ${made} of the tenant's ${perMinute} logins per minute, and this run needs ${planned}; run again in ${seconds} s, or with --max-wait ${seconds}s`;
  return { kind: 'rate-limited', reason };
}

/** A deployment that breaks LOGIN-2 requires Authorization for a login. With an API key, the run can continue and show that. */
async function logInWithAuthorization(context: Context): Promise<boolean> {
  const { account, apiKey } = context.options;
  if (!apiKey) return false;
  await context.budget.takeNecessary(budgetKey(context, 'main'));
  const login = await sendLogin(context, { ...account }, { token: apiKey });
  if (!succeeded(login)) return false;
  await continueWithLogin(context, login);
  return true;
}

async function continueWithLogin(context: Context, login: Exchange): Promise<void> {
  replace(context, logInMain, login);
  // Records how a wrong token is refused, before any limit can be used up.
  await settle(() => refusalOfInvented(context));
}
