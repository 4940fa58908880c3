// Checks that the login answer has the token at the place that the profile states.
import { formatPointer } from '../../../openapi/json-pointer.ts';
import { call } from '../../calls/call.ts';
import { isRateLimited } from '../../calls/expect-answer.ts';
import { inventToken, listsSitesBySession, mainLogin } from '../../calls/user-session.ts';
import type { Context } from '../../context.ts';
import { areAlike, type Exchange, envelopeOf, succeeded } from '../../core/exchange.ts';
import type { Abort } from '../../core/outcomes.ts';
import { tokensIn } from '../../redaction/learn-tokens.ts';
import { askForNobodysSubscription } from './harmless-calls.ts';

/** Why the run ends: the value at the profile's place is not a token, and another value of the answer is. */
export async function checkToken(context: Context): Promise<Abort | undefined> {
  if (!context.options.account) return undefined;
  const login = await mainLogin(context);
  const { token } = login.values;
  // A token outside `data` or the envelope is not the profile's mistake.
  const isElsewhere = ({ text, path }: Candidate) => text !== token && path[0] === 'data';
  const others = envelopeOf(login).code === undefined ? [] : tokensIn(login).filter(isElsewhere);
  if (others.length === 0 || (typeof token === 'string' && (await isAccepted(context, token))))
    return undefined;
  const right = await findToken(context, others, typeof token === 'string');
  return right && wrongPlace(context, login, right);
}

type Candidate = ReturnType<typeof tokensIn>[number];

/** The value that the deployment accepts as a token. If the profile's place is empty, a value with a matching name suffices. */
async function findToken(
  context: Context,
  candidates: readonly Candidate[],
  isInProfilesPlace: boolean,
): Promise<Candidate | undefined> {
  const likely = candidates.toSorted((one, other) => rank(one) - rank(other));
  for (const candidate of likely) if (await isToken(context, candidate)) return candidate;
  return isInProfilesPlace ? undefined : likely.find((candidate) => rank(candidate) < 2);
}

/** Whether the login answer contains an accepted token, regardless of its code. */
export async function givesToken(context: Context, login: Exchange): Promise<boolean> {
  for (const candidate of tokensIn(login)) if (await isToken(context, candidate)) return true;
  return false;
}

/** A refresh token may be refused in a different way than a made-up token, so it counts only if it lists sites. */
async function isToken(context: Context, candidate: Candidate): Promise<boolean> {
  const { text } = candidate;
  if (await opensList(context, text)) return true;
  return rank(candidate) < rankOfRenewal && (await isKnown(context, text)) === true;
}

const rankOfRenewal = 3;

/** By the names in its path: the lower, the likelier a token. */
function rank({ path }: Candidate): number {
  const names = path.join('/');
  if (/refresh/i.test(names)) return rankOfRenewal;
  if (/access_?token/i.test(names)) return 0;
  return /token|jwt|bearer|session/i.test(names) ? 1 : 2;
}

/** Whether a token is accepted. True if that cannot be found out. */
async function isAccepted(context: Context, token: string): Promise<boolean> {
  return (await opensList(context, token)) || (await isKnown(context, token)) !== false;
}

async function opensList(context: Context, token: string): Promise<boolean> {
  return listsSitesBySession(context) && succeeded(await call(context, 'listSites', { token }));
}

/** Whether a test of a missing subscription is answered differently for this token and a made-up one. Undefined if unclear. */
async function isKnown(context: Context, token: string): Promise<boolean | undefined> {
  if (context.siteId === undefined) return undefined;
  const answer = await askForNobodysSubscription(context, token);
  if (areAlike(answer, await askForNobodysSubscription(context, inventToken(token)))) return false;
  return isRateLimited(context, answer) || answer.response.status >= 500 ? undefined : true;
}

function wrongPlace({ profile }: Context, login: Exchange, { path }: Candidate): Abort {
  const pointer = formatPointer(path);
  const stated = profile.values['login.token'];
  const wrong =
    typeof login.values.token === 'string'
      ? 'contains a value that is refused'
      : 'is not in the login answer';
  const whose = profile.stated.has('login.token')
    ? "the profile's login.token"
    : 'the default of login.token';
  return {
    kind: 'usage',
    reason: `${whose} (${stated}) ${wrong}, but ${pointer} looks like the token; state login.token: ${pointer} in the profile or write one with \`sitepub discover\``,
  };
}
