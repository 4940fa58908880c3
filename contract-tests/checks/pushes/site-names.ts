// The site_name of a push: the profile says where the deployment shows names, and that may be wrong.
import { canVary, gapOf } from '../../calls/profile-calls.ts';
import { listSites } from '../../calls/sites.ts';
import { type Context, once, oncePerRun } from '../../context.ts';
import { PromiseBroken } from '../../core/outcomes.ts';
import { writeJson } from '../../core/parse-json.ts';
import { settle } from '../../core/settled.ts';
import { repetitionOf } from '../../events/repeated-writes.ts';
import { describePush } from '../../push-receiver/read-push.ts';
import type { SeenPush } from './seen-pushes.ts';

/**
 * Throws PromiseBroken where a push has another name than its site. What the profile takes for the name may be something else, such as
 * a slug: only where a site that this run has created is listed with the name that was given, another name in the push is wrong.
 */
export async function requireSiteName(context: Context, push: SeenPush, name: unknown): Promise<void> {
  const given = givenName(context, push.siteID);
  if (given !== undefined) return requireNewName(context, push, { given, name });
  const known = nameIn(await once(context, listSites), push.siteID);
  if (known === undefined || name === known) return;
  // Somebody may have renamed it.
  const listed = nameIn(await once(context, listSitesAgain), push.siteID);
  if (listed === undefined || name === listed) return;
  if (await areNamesListed(context))
    throw new PromiseBroken(`the site's name ${writeJson(listed)} in site_name`, describePush(push));
  context.observations.drifts(
    gapOf(context, 'listSites'),
    `listed as ${writeJson(listed)}, pushed as ${writeJson(name)}`,
  );
}

/** The name of a new site: what it was given, or what the list shows for it, for it may be normalised. */
async function requireNewName(
  context: Context,
  push: SeenPush,
  { given, name }: { given: unknown; name: unknown },
): Promise<void> {
  if (name === given) return;
  const sites = await once(context, listSitesAgain);
  if (nameIn(sites, push.siteID) === name) return;
  const isOfAnother = sites.some((site) => site.name === name && String(site.id) !== String(push.siteID));
  if (isOfAnother || (await areNamesListed(context)))
    throw new PromiseBroken(`the name ${writeJson(given)} of the new site in site_name`, describePush(push));
}

/** The name that a site of this run was given. */
function givenName(context: Context, siteID: unknown): unknown {
  if (!canVary(context, 'createSite', 'name')) return undefined;
  return context.requests.find(
    ({ operation, exchange }) =>
      operation === 'createSite' && exchange && String(exchange.values.id) === String(siteID),
  )?.values.name;
}

type Sites = Awaited<ReturnType<typeof listSites>>;

function listSitesAgain(context: Context): Promise<Sites> {
  return listSites(context);
}

/** Whether the list has the names that sites were given; called where a push contradicts it. */
const areNamesListed = oncePerRun(compareListedName);

async function compareListedName(context: Context): Promise<boolean> {
  const created = await settle(async () => (await repetitionOf(context, 'createSite')).first);
  if (created.error || !context.operations.has('listSites')) return false;
  const exchange = created.value();
  const given = context.requests.find((request) => request.exchange === exchange)?.values.name;
  return given !== undefined && nameIn(await listSites(context), exchange.values.id) === given;
}

function nameIn(sites: Sites, siteID: unknown): string | undefined {
  const name = sites.find(({ id }) => String(id) === String(siteID))?.name;
  return typeof name === 'string' ? name : undefined;
}
