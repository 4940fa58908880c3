// What must be clear before the checks: is the address right, does the deployment answer, are the credentials valid?
import { codeOf } from '../../openapi/error-codes.ts';
import { call } from '../calls/call.ts';
import { isRateLimited } from '../calls/expect-answer.ts';
import { refusalOfInvented } from '../calls/live-session.ts';
import { listSites } from '../calls/sites.ts';
import { budgetKey, logInMain, sendLogin } from '../calls/user-session.ts';
import { versioning } from '../checks/envelope/versioning.ts';
import { type Context, replace } from '../context.ts';
import { perMinute, windowMs } from '../core/documented-limits.ts';
import { describeAnswer, type Exchange, envelopeOf, succeeded } from '../core/exchange.ts';
import { type Abort, NotVerified, PromiseBroken, Unreachable } from '../core/outcomes.ts';
import { isJsonNumber, parseExactly } from '../core/parse-json.ts';
import { settle } from '../core/settled.ts';

const mostTries = 3;
const pauseMs = 2_000;

/** Reaches the deployment, and logs in. Returns the reason where no check can be made. */
export async function runPreflight(context: Context): Promise<Abort | undefined> {
  if (!hasVersion(context)) {
    return {
      kind: 'wrong-address',
      reason: 'the base address does not end in /api/v1 (VERSION-1), so nothing was sent there',
    };
  }
  try {
    return await trySeveralTimes(context, () =>
      context.options.account ? logIn(context) : callWithoutCredentials(context),
    );
  } catch (error) {
    if (error instanceof Unreachable)
      return { kind: 'unreachable', reason: `${context.options.baseUrl} can't be reached: ${error.message}` };
    // Where the profile is wrong about the place of the token, each check that needs the token says so.
    if (error instanceof NotVerified) return undefined;
    throw error;
  }
}

/** A lost answer is no reason to end the run; a host that nobody listens at is. */
async function trySeveralTimes<T>(context: Context, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const isDead =
        !(error instanceof Unreachable) ||
        error.isCertain ||
        /ECONNREFUSED|ENOTFOUND|EAI_AGAIN/.test(error.message);
      if (isDead || tries === mostTries) throw error;
      await context.clock.pass(pauseMs, 'the deployment to answer');
    }
  }
}

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
  // Other runs may have used up the mock's limits.
  await context.control?.clearLimits();
  await budget.takeNecessary(budgetKey(context, 'main'));
  const login = await retryWhenLimited(context, await sendLogin(context, { ...options.account }));
  if (succeeded(login)) {
    await continueWithLogin(context, login);
    return undefined;
  }
  const answer = context.secrets.redact(describeAnswer(login));
  if (envelopeOf(login).code === undefined) {
    const reason = `${options.baseUrl} does not answer the login in the envelope (${answer}); is it the address of the service?`;
    return { kind: 'unreachable', reason };
  }
  if (isRateLimited(context, login)) {
    const reason = `the login was refused for its rate (${answer}): somebody else uses the tenant's ${perMinute} logins a minute; run again a minute later, or with --max-wait ${windowMs / 1_000}s`;
    return { kind: 'rate-limited', reason };
  }
  if (!isBadCredentials(context, login) && (await logInWithAuthorization(context))) return undefined;
  const reason = `the login of ${options.account?.username} was refused (${answer}); check SITEPUB_USERNAME and SITEPUB_PASSWORD`;
  return { kind: 'credentials', reason };
}

/** Logs in again a minute later where others have used up the tenant's logins, if such a wait is allowed. */
async function retryWhenLimited(context: Context, login: Exchange): Promise<Exchange> {
  const { options } = context;
  const isAllowed = context.clock.isMoved || options.maxWaitMs >= windowMs;
  if (!isRateLimited(context, login) || !isAllowed) return login;
  await context.clock.pass(
    windowMs,
    `another of the tenant's ${perMinute} logins a minute; somebody else has used them up`,
  );
  return sendLogin(context, { ...options.account });
}

/** Whether the refusal is the profile's answer to a wrong password; then no Authorization would help. */
function isBadCredentials({ profile }: Context, login: Exchange): boolean {
  const { code } = envelopeOf(login);
  return code === codeOf(profile, 'bad-credentials') && code !== codeOf(profile, 'unauthenticated');
}

/** A deployment that breaks LOGIN-2 requires Authorization for a login: with an API key, the run can go on and show that. */
async function logInWithAuthorization(context: Context): Promise<boolean> {
  const { account, apiKey } = context.options;
  if (!apiKey) return false;
  await context.budget.takeNecessary(budgetKey(context, 'main'));
  const login = await sendLogin(context, { ...account }, { token: apiKey });
  if (!succeeded(login)) return false;
  await continueWithLogin(context, login);
  return true;
}

/** Makes the run use this login. */
async function continueWithLogin(context: Context, login: Exchange): Promise<void> {
  replace(context, logInMain, login);
  // What a refusal of a wrong token looks like, before anything can have been used up.
  await settle(() => refusalOfInvented(context));
  await findSite(context);
}

/** Where no site was given, chooses the first of the tenant's, if the profile says how to list them. */
async function findSite(context: Context): Promise<void> {
  if (context.siteId !== undefined) return;
  const [first] = await listSites(context);
  const id = first?.id;
  if (isJsonNumber(id)) context.siteId = id;
  else if (typeof id === 'string' && /^\d+$/.test(id)) context.siteId = parseExactly(id) as number | bigint;
}
