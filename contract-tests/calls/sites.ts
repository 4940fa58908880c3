// The tenant's sites, where the profile says how they are listed.
import { type Context, once } from '../context.ts';
import { NotVerified } from '../core/outcomes.ts';
import { isSameId } from '../core/parse-json.ts';
import { settle } from '../core/settled.ts';
import { readList } from './pages.ts';
import { otherSession, sessionToken } from './user-session.ts';

/** A site in the tenant's list; fields whose place the profile does not state are missing. */
interface ListedSite {
  id?: unknown;
  name?: unknown;
}

/** The tenant's own sites; none where the profile does not say how to list them, or the call fails. */
export async function listSites(context: Context): Promise<readonly ListedSite[]> {
  if (!context.operations.has('listSites')) return [];
  const { error, value } = await settle(() => readList(context, 'listSites'));
  return error instanceof NotVerified ? [] : value().items;
}

/** Another site of the same tenant; undefined where it has none. */
export async function ownOtherSite(context: Context): Promise<ListedSite | undefined> {
  return (await once(context, listSites)).find(({ id }) => id !== undefined && !isSameId(id, context.siteId));
}

/** Another site, with a token for it: one of the same tenant, or else that of the other tenant. */
export async function anotherSite(context: Context): Promise<{ siteID: unknown; token: string }> {
  const own = await ownOtherSite(context);
  if (own) return { siteID: own.id, token: await sessionToken(context) };
  if (context.options.other?.siteId === undefined) {
    throw new NotVerified(
      'needs another site: set SITEPUB_OTHER_USERNAME, SITEPUB_OTHER_PASSWORD and SITEPUB_OTHER_SITE_ID, or state operation.list-sites',
    );
  }
  return { siteID: context.options.other.siteId, token: (await otherSession(context)).token };
}
