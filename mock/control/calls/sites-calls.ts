// What the sites have, whether or not the profile describes calls of the service for it.
import type { Comment, Submission } from '../../world/entries.ts';
import { ControlError } from '../control-error.ts';
import type { ControlledMock } from '../controlled-mock.ts';
import { listOf, type PageRequest } from '../page-of.ts';
import {
  type PartsOfSite,
  showContent,
  showDated,
  showPublication,
  showSite,
  showSubscription,
} from '../show-site.ts';
import { findTenant } from '../tenants.ts';
import type { Answer, Input } from './call.ts';

export function listSites({ world }: ControlledMock, { query }: Input<'listSites'>): Answer<'listSites'> {
  const { tenant } = query;
  const sites = tenant === undefined ? world.sites : world.sites.of(findTenant(world, tenant).id);
  return listOf('sites', sites.values(), query, (site) => showSite(world, site));
}

export const listContents = listerOf('contents', showContent);
export const listSubmissions = listerOf('submissions', showDated<Submission>);
export const listComments = listerOf('comments', showDated<Comment>);
/** Each attempt to publish a site, and what became of it. */
export const listPublications = listerOf('publications', showPublication);
/** Their ids may be texts, so they are numbered by their place. */
export const listSubscriptions = listerOf('subscriptions', showSubscription, (_, index) => index + 1);

/** The call that lists what a site has. */
function listerOf<Name extends keyof PartsOfSite, Shown>(
  name: Name,
  show: (entry: PartsOfSite[Name]) => Shown,
  numberOf?: (entry: PartsOfSite[Name], index: number) => number,
) {
  return ({ world }: ControlledMock, { path: { siteId }, query }: InSite) => {
    if (!world.sites.has(siteId))
      throw new ControlError(404, `there is no site ${siteId}; GET /_mock/sites lists them`);
    const entries = world[name].of(siteId).values() as Iterable<PartsOfSite[Name]>;
    return listOf(name, entries, query, show, numberOf);
  };
}

interface InSite {
  path: { siteId: number };
  query: PageRequest;
}
