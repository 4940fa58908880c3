import type { Subscription } from '../../world/entries.ts';
import type { World } from '../../world/world.ts';
import { findTenant, found, nameOfTenant } from '../control-error.ts';
import type { Call, ControlledMock } from '../controlled-mock.ts';
import { redactAddress } from '../redact-request.ts';
import { listOf, show } from '../show.ts';

export const listSites: Call<'listSites'> = ({ world }, { query }) => {
  const { tenant } = query;
  const sites = tenant === undefined ? world.sites : world.sites.of(findTenant(world, tenant).id);
  return listOf('sites', sites.values(), query, ({ id, name, tenantId, version, createdAt, source }) =>
    show({ id, name, tenant: nameOfTenant(world, tenantId), version, createdAt, source }),
  );
};

export const listContents: Call<'listContents'> = listerOf('contents');
export const listSubmissions: Call<'listSubmissions'> = listerOf('submissions');
export const listComments: Call<'listComments'> = listerOf('comments');
export const listPublications: Call<'listPublications'> = listerOf('publications');

type EntryOf<Entries> = Entries extends ReadonlyMap<unknown, infer Entry> ? Entry : never;

function listerOf<Name extends 'contents' | 'submissions' | 'comments' | 'publications'>(name: Name) {
  return ({ world }: ControlledMock, { path: { siteId }, query }: Parameters<Call<'listContents'>>[1]) => {
    found(world.sites.get(siteId), `site ${siteId}`, 'sites');
    const entries = world[name].of(siteId).values() as Iterable<EntryOf<World[Name]>>;
    return listOf(name, entries, query, show<EntryOf<World[Name]>>);
  };
}

/** `listOf` pages by numeric ids, but ids of subscriptions may be strings, so each gets its position. */
export const listSubscriptions: Call<'listSubscriptions'> = ({ world }, { path: { siteId }, query }) => {
  found(world.sites.get(siteId), `site ${siteId}`, 'sites');
  const all = [...world.subscriptions.of(siteId).values()];
  const numbered = all.map((subscription, index) => ({ id: index + 1, subscription }));
  return listOf('subscriptions', numbered, query, ({ subscription }) => showSubscription(subscription));
};

function showSubscription({ secret, createdAt, ...subscription }: Subscription) {
  const { url, events } = subscription;
  const shown = { ...subscription, url: redactAddress(url), events: [...events] };
  return show({ ...shown, hasSecret: secret !== undefined, createdAt });
}

const mostShown = 100;

export const getSite: Call<'getSite'> = ({ world }, { path: { siteId } }) => {
  const { id, name, tenantId, version } = found(world.sites.get(siteId), `site ${siteId}`, 'tenants');
  const [contents, comments] = [world.contents.of(id), world.comments.of(id)];
  const [submissions, publications] = [world.submissions.of(id), world.publications.of(id)];
  return {
    id,
    name,
    tenant: nameOfTenant(world, tenantId),
    version,
    contents: latest(contents, show),
    comments: latest(comments, show),
    submissions: latest(submissions, show),
    publications: latest(publications, ({ pages: _, ...one }) => show(one)),
    subscriptions: latest(world.subscriptions.of(id), showSubscription, Number.POSITIVE_INFINITY),
    totals: {
      contents: contents.size,
      comments: comments.size,
      submissions: submissions.size,
      publications: publications.size,
    },
  };
};

function latest<Entry, Shown extends { site_id: number }>(
  entries: ReadonlyMap<unknown, Entry>,
  showOne: (entry: Entry) => Shown,
  most = mostShown,
) {
  return [...entries.values()].slice(-most).map((entry) => {
    const { site_id: _, ...shown } = showOne(entry);
    return shown;
  });
}
