// Whether the token is where the profile says: the answer to the login may show it elsewhere.
import { formatPointer } from '../../../openapi/json-pointer.ts';
import { call } from '../../calls/call.ts';
import { isRateLimited } from '../../calls/expect-answer.ts';
import { inventToken, listsSitesBySession, mainLogin } from '../../calls/user-session.ts';
import type { Context } from '../../context.ts';
import { areAlike, type Exchange, envelopeOf, succeeded } from '../../core/exchange.ts';
import type { Abort } from '../../core/outcomes.ts';
import { tokensIn } from '../../redaction/learn-tokens.ts';
import { askForNobodysSubscription } from './nobodys-subscription.ts';

/** The reason why a run ends where the profile's token is none, and another text of the answer is one. */
export async function checkToken(context: Context): Promise<Abort | undefined> {
  if (!context.options.account) return undefined;
  const login = await mainLogin(context);
  const { token } = login.values;
  // What is outside of data, or of the envelope, is not in the wrong place by the profile's fault.
  const isElsewhere = ({ text, path }: Candidate) => text !== token && path[0] === 'data';
  const others = envelopeOf(login).code === undefined ? [] : tokensIn(login).filter(isElsewhere);
  if (others.length === 0 || (typeof token === 'string' && (await isTaken(context, token)))) return undefined;
  const right = await findToken(context, others, typeof token === 'string');
  return right && wrongPlace(context, login, right);
}

type Candidate = ReturnType<typeof tokensIn>[number];

/** The text that is accepted as a token; where the profile's place is empty, one that is named so will do. */
async function findToken(
  context: Context,
  candidates: readonly Candidate[],
  isInProfilesPlace: boolean,
): Promise<Candidate | undefined> {
  const likely = candidates.toSorted((one, other) => rank(one) - rank(other));
  for (const candidate of likely) if (await isToken(context, candidate)) return candidate;
  return isInProfilesPlace ? undefined : likely.find((candidate) => rank(candidate) < 2);
}

/** Whether the answer to a login shows a token that is accepted, whatever its code says. */
export async function givesToken(context: Context, login: Exchange): Promise<boolean> {
  for (const candidate of tokensIn(login)) if (await isToken(context, candidate)) return true;
  return false;
}

/** A token for renewals may be told from an invented one, and be refused all the same. */
async function isToken(context: Context, candidate: Candidate): Promise<boolean> {
  const { text } = candidate;
  if (await opensList(context, text)) return true;
  return rank(candidate) < rankOfRenewal && (await isKnown(context, text)) === true;
}

const rankOfRenewal = 3;

/** By the names on the way to it. */
function rank({ path }: Candidate): number {
  const names = path.join('/');
  if (/refresh/i.test(names)) return rankOfRenewal;
  if (/access_?token/i.test(names)) return 0;
  return /token|jwt|bearer|session/i.test(names) ? 1 : 2;
}

/** Whether a token is accepted, as far as that can be asked. */
async function isTaken(context: Context, token: string): Promise<boolean> {
  return (await opensList(context, token)) || (await isKnown(context, token)) !== false;
}

async function opensList(context: Context, token: string): Promise<boolean> {
  return listsSitesBySession(context) && succeeded(await call(context, 'listSites', { token }));
}

/** Whether a test of a subscription that nobody has tells a token from an invented one; undefined where it can't be told. */
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
    typeof login.values.token === 'string' ? 'holds a text that is refused' : 'is not in the login answer';
  const whose = profile.stated.has('login.token')
    ? "the profile's login.token"
    : 'the default of login.token';
  return {
    kind: 'usage',
    reason: `${whose} (${stated}) ${wrong}, ${pointer} looks like it; state login.token: ${pointer} in a profile, or have \`sitepub discover\` write one`,
  };
}
