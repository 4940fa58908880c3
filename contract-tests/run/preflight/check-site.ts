// Checks that the site under test belongs to the user, if the profile says how to list sites.
import { call } from '../../calls/call.ts';
import { isRateLimited } from '../../calls/expect-answer.ts';
import { refusalOfInvented } from '../../calls/live-session.ts';
import { gapOf } from '../../calls/profile-calls.ts';
import { listSites } from '../../calls/sites.ts';
import { inventToken, sessionToken } from '../../calls/user-session.ts';
import type { Context } from '../../context.ts';
import { areAlike, describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import type { Abort } from '../../core/outcomes.ts';
import { isJsonNumber, isSameId, parseExactly } from '../../core/parse-json.ts';
import { settle } from '../../core/settled.ts';
import { askForNobodysSubscription, isLikeUnknownPath } from './harmless-calls.ts';

/** Chooses the user's first site if none was given. Returns why the run ends: the given site is refused and a listed one is not. */
export async function checkSite(context: Context): Promise<Abort | undefined> {
  if (!context.options.account || !context.operations.has('listSites')) return undefined;
  const ids = (await listSites(context)).map(({ id }) => id).filter((id) => id !== undefined);
  const [first] = ids;
  if (first === undefined) return checkList(context);
  if (context.siteId === undefined) return void chooseSite(context, first);
  if (ids.some((id) => isSameId(id, context.siteId))) return undefined;
  const refusal = await refusedUnlike(context, first);
  return refusal && wrongSite(context, ids, refusal);
}

function chooseSite(context: Context, id: unknown): void {
  if (isJsonNumber(id)) context.siteId = id;
  else if (typeof id === 'string' && /^\d+$/.test(id)) context.siteId = parseExactly(id) as number | bigint;
}

/** A refusal for the given site if a listed site gets a different answer. Undefined if any call accepts the given site. */
async function refusedUnlike(context: Context, listed: unknown): Promise<Exchange | undefined> {
  let refusal: Exchange | undefined;
  for (const ask of await questions(context)) {
    const given = await ask(context.siteId);
    if (succeeded(given)) return undefined;
    const isOther = isRateLimited(context, given) || given.response.status >= 500;
    if (!refusal && !isOther && !areAlike(given, await ask(listed))) refusal = given;
  }
  return refusal;
}

/** Calls with a site id that change nothing. */
async function questions(context: Context): Promise<((siteID: unknown) => Promise<Exchange>)[]> {
  const token = await sessionToken(context);
  const stated = (['getSite', 'listSubscriptions'] as const).filter((id) => context.operations.has(id));
  return [
    ...stated.map((id) => (siteID: unknown) => call(context, id, { values: { siteID }, token })),
    (siteID: unknown) => askForNobodysSubscription(context, token, siteID),
  ];
}

function wrongSite({ siteId, secrets }: Context, ids: readonly unknown[], refusal: Exchange): Abort {
  const shown = ids.slice(0, 5).map(String).join(', ') + (ids.length > 5 ? ', …' : '');
  const answer = secrets.redact(describeAnswer(refusal));
  return {
    kind: 'usage',
    reason: `this user has no access to site ${siteId} (${answer}); the user's sites are ${shown}; check SITEPUB_SITE_ID`,
  };
}

/** Why the run ends: the deployment answers the profile's list of sites as it answers an unknown path. */
async function checkList(context: Context): Promise<Abort | undefined> {
  const refusal = context.exchanges.findLast(({ operation }) => operation === 'listSites');
  if (!refusal || succeeded(refusal) || isRateLimited(context, refusal)) return undefined;
  const invented = await settle(() => refusalOfInvented(context));
  if (invented.error || areAlike(refusal, invented.value())) return undefined;
  if (!(await isLikeUnknownPath(context, refusal)) || (await isTellingTokensApart(context, refusal)))
    return undefined;
  const { method, path } = context.operations.get('listSites') ?? {};
  const answer = context.secrets.redact(describeAnswer(refusal));
  return {
    kind: 'usage',
    reason: `the deployment answers the profile's ${gapOf(context, 'listSites')} (${method} ${path}) like an unknown path (${answer}); check --profile or write one with \`sitepub discover\``,
  };
}

/** Whether a made-up token changes the answer to the list, but not to an unknown path. Then the path exists. */
async function isTellingTokensApart(context: Context, refusal: Exchange): Promise<boolean> {
  const invented = await call(context, 'listSites', { token: inventToken(await sessionToken(context)) });
  return !areAlike(refusal, invented) && !(await isLikeUnknownPath(context, invented));
}
