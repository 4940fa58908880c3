// What the sites have, whether or not the profile describes calls of the service for it.
import type { Collection } from '../world/collection.ts';
import type { Publication, Site } from '../world/entries.ts';
import { isoTime } from '../world/time.ts';
import type { World } from '../world/world.ts';
import { ControlError } from './control-error.ts';
import type {
  CommentsView,
  ContentsView,
  PageRequest,
  PublicationsView,
  PublicationView,
  SiteFilter,
  SitesView,
  SubmissionsView,
  SubscriptionsView,
} from './control-views.ts';
import type { ControlledMock } from './controlled-mock.ts';
import { pageOf } from './page-of.ts';
import { redactAddress } from './redact-request.ts';
import { findTenant, nameOfTenant } from './tenants.ts';

export function siteControl(mock: ControlledMock) {
  return {
    sites: (filter: SiteFilter = {}): SitesView => {
      const { world } = mock;
      const { tenant, ...page } = filter;
      const tenantId = tenant === undefined ? undefined : findTenant(world, tenant).id;
      const sites = tenantId === undefined ? world.sites : world.sites.of(tenantId);
      const { shown, total, more } = pageOf([...sites.values()], page, idOf);
      return { sites: shown.map((site) => showSite(world, site)), total, ...more };
    },

    contents: (siteId: number, page: PageRequest = {}): ContentsView => {
      const { shown, total, more } = pageOf(ofSite(mock.world, siteId, mock.world.contents), page, idOf);
      const contents = shown.map(({ siteId: site, updatedAt, ...content }) => ({
        ...content,
        site_id: site,
        updated_at: isoTime(updatedAt),
      }));
      return { contents, total, ...more };
    },

    submissions: (siteId: number, page: PageRequest = {}): SubmissionsView => {
      const { shown, total, more } = pageOf(ofSite(mock.world, siteId, mock.world.submissions), page, idOf);
      return { submissions: shown.map(showDated), total, ...more };
    },

    comments: (siteId: number, page: PageRequest = {}): CommentsView => {
      const { shown, total, more } = pageOf(ofSite(mock.world, siteId, mock.world.comments), page, idOf);
      return { comments: shown.map(showDated), total, ...more };
    },

    /** Each attempt to publish a site, and what became of it. */
    publications: (siteId: number, page: PageRequest = {}): PublicationsView => {
      const { shown, total, more } = pageOf(ofSite(mock.world, siteId, mock.world.publications), page, idOf);
      return { publications: shown.map(showPublication), total, ...more };
    },

    subscriptions: (siteId: number, page: PageRequest = {}): SubscriptionsView => {
      const { world } = mock;
      // Their ids may be texts, so they are numbered by their place.
      const all = ofSite(world, siteId, world.subscriptions);
      const { shown, total, more } = pageOf(all, page, (_, index) => index + 1);
      const subscriptions = shown.map(
        ({ siteId: site, url, events, secret, createdAt, ...subscription }) => ({
          ...subscription,
          events: [...events],
          site_id: site,
          url: redactAddress(url),
          has_secret: secret !== undefined,
          created_at: isoTime(createdAt),
        }),
      );
      return { subscriptions, total, ...more };
    },
  };
}

function showDated<Entry extends { siteId: number; at: number }>({ siteId, at, ...entry }: Entry) {
  return { ...entry, site_id: siteId, at: isoTime(at) };
}

function idOf({ id }: { id: number }): number {
  return id;
}

/** The entries of a site. Throws a ControlError where there is no such site. */
function ofSite<Key, Entry extends object>(
  { sites }: World,
  siteId: number,
  entries: Collection<Key, Entry, number>,
): Entry[] {
  if (!sites.has(siteId))
    throw new ControlError(404, `there is no site ${siteId}; GET /_mock/sites lists them`);
  return [...entries.of(siteId).values()];
}

function showSite(
  world: World,
  { id, tenantId, name, version, createdAt, source }: Site,
): SitesView['sites'][number] {
  return {
    id,
    name,
    tenant: nameOfTenant(world, tenantId),
    version,
    created_at: isoTime(createdAt),
    ...(source !== undefined && { source }),
  };
}

function showPublication({
  id,
  siteId,
  version,
  note,
  state,
  startedAt,
  pages,
}: Publication): PublicationView {
  return {
    id,
    site_id: siteId,
    version,
    note,
    state,
    started_at: isoTime(startedAt),
    ...(pages !== undefined && { pages }),
  };
}
