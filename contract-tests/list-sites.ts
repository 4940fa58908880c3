import { type Context, call } from './context.ts';
import { sessionToken } from './session.ts';

/** A site in the tenant's list, as far as the profile says where its fields are. */
interface ListedSite {
  id?: unknown;
  name?: unknown;
}

/** The tenant's own sites; none where the profile does not say how to list them, or the list can't be had. */
export async function listSites(context: Context): Promise<readonly ListedSite[]> {
  if (!context.operations.has('listSites')) return [];
  const { values } = await call(context, 'listSites', { token: await sessionToken(context) });
  return Array.isArray(values.list) ? (values.list as ListedSite[]) : [];
}
