// Whether the token is where the profile says: the answer to the login may show it elsewhere.
import { formatPointer } from '../../../openapi/json-pointer.ts';
import { call } from '../../calls/call.ts';
import { inventToken, listsSitesBySession, mainLogin } from '../../calls/user-session.ts';
import type { Context } from '../../context.ts';
import { areAlike, type Exchange, succeeded } from '../../core/exchange.ts';
import type { Abort } from '../../core/outcomes.ts';
import { tokensIn } from '../../redaction/learn-tokens.ts';
import { askForNobodysSubscription } from './nobodys-subscription.ts';

/** The reason why a run ends where the profile's token is none, and another text of the answer is one. */
export async function checkToken(context: Context): Promise<Abort | undefined> {
  if (!context.options.account) return undefined;
  const login = await mainLogin(context);
  const { token } = login.values;
  const others = tokensIn(login).filter(({ text }) => text !== token);
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
  for (const candidate of likely) if (await isTaken(context, candidate.text, false)) return candidate;
  return isInProfilesPlace ? undefined : likely.find((candidate) => rank(candidate) < 2);
}

/** By the names on the way to it. */
function rank({ path }: Candidate): number {
  const names = path.join('/');
  if (/refresh/i.test(names)) return 3;
  if (/access_?token/i.test(names)) return 0;
  return /token|jwt|bearer|session/i.test(names) ? 1 : 2;
}

/** Whether a token is accepted: by the list of sites, or by a test of a subscription that nobody has; `otherwise` where neither can be sent. */
async function isTaken(context: Context, token: string, otherwise = true): Promise<boolean> {
  if (listsSitesBySession(context) && succeeded(await call(context, 'listSites', { token }))) return true;
  if (context.siteId === undefined) return otherwise;
  const answer = await askForNobodysSubscription(context, token);
  return !areAlike(answer, await askForNobodysSubscription(context, inventToken(token)));
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
