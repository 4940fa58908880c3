// What the sites have, whether or not the profile describes calls of the service for it.
import { findTenant, found } from '../control-error.ts';
import type { Call, ControlledMock } from '../controlled-mock.ts';
import { listOf, type PageRequest, show } from '../show/show.ts';
import { type PartsOfSite, showContent, showDated, showSite, showSubscription } from '../show/show-site.ts';

export const listSites: Call<'listSites'> = ({ world }, { query }) => {
  const { tenant } = query;
  const sites = tenant === undefined ? world.sites : world.sites.of(findTenant(world, tenant).id);
  return listOf('sites', sites.values(), query, (site) => showSite(world, site));
};

export const listContents: Call<'listContents'> = listerOf('contents', showContent);
export const listSubmissions: Call<'listSubmissions'> = listerOf('submissions', showDated);
export const listComments: Call<'listComments'> = listerOf('comments', showDated);
/** Each attempt to publish a site, and what became of it. */
export const listPublications: Call<'listPublications'> = listerOf('publications', show);
/** Their ids may be texts, so they are numbered by their place. */
export const listSubscriptions: Call<'listSubscriptions'> = listerOf(
  'subscriptions',
  showSubscription,
  (_, index) => index + 1,
);

/** The call that lists what a site has. */
function listerOf<Name extends keyof PartsOfSite, Line>(
  name: Name,
  showLine: (entry: PartsOfSite[Name]) => Line,
  numberOf?: (entry: PartsOfSite[Name], index: number) => number,
) {
  return ({ world }: ControlledMock, { path: { siteId }, query }: InSite) => {
    found(world.sites.get(siteId), `site ${siteId}`, 'sites');
    const entries = world[name].of(siteId).values() as Iterable<PartsOfSite[Name]>;
    return listOf(name, entries, query, showLine, numberOf);
  };
}

interface InSite {
  path: { siteId: number };
  query: PageRequest;
}
