// Sites and what they have, as they are shown.
import type { Schemas } from '../../openapi/generated/control-types.ts';
import type { Comment, Content, Publication, Site, Submission, Subscription } from '../world/entries.ts';
import { isoTime } from '../world/time.ts';
import type { World } from '../world/world.ts';
import { redactAddress } from './redact-request.ts';
import { nameOfTenant } from './tenants.ts';

/** What a site has, by the names of the world's collections. */
export interface PartsOfSite {
  contents: Content;
  submissions: Submission;
  comments: Comment;
  publications: Publication;
  subscriptions: Subscription;
}

export function showSite(
  world: World,
  { id, tenantId, name, version, createdAt, source }: Site,
): Schemas['Site'] {
  return {
    id,
    name,
    tenant: nameOfTenant(world, tenantId),
    version,
    created_at: isoTime(createdAt),
    ...(source !== undefined && { source }),
  };
}

export function showContent({ siteId, updatedAt, ...content }: Content): Schemas['Content'] {
  return { ...content, site_id: siteId, updated_at: isoTime(updatedAt) };
}

/** Of a submission or a comment. */
export function showDated<Entry extends { siteId: number; at: number }>({ siteId, at, ...entry }: Entry) {
  return { ...entry, site_id: siteId, at: isoTime(at) };
}

export function showPublication({
  id,
  siteId,
  version,
  note,
  state,
  startedAt,
  pages,
}: Publication): Schemas['Publication'] {
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

export function showSubscription({ siteId, url, events, secret, createdAt, ...subscription }: Subscription) {
  return {
    ...subscription,
    events: [...events],
    site_id: siteId,
    url: redactAddress(url),
    has_secret: secret !== undefined,
    created_at: isoTime(createdAt),
  };
}

const mostShown = 100;

/** A site with the newest of what it has. */
export function showInside(world: World, { id, name, tenantId, version }: Site): Schemas['SiteInside'] {
  const latest = <Entry extends object, Shown extends { site_id: number }>(
    entries: ReadonlyMap<unknown, Entry>,
    show: (entry: Entry) => Shown,
  ) => [...entries.values()].slice(-mostShown).map((entry) => withoutSite(show(entry)));
  const [contents, comments] = [world.contents.of(id), world.comments.of(id)];
  const [submissions, publications] = [world.submissions.of(id), world.publications.of(id)];
  return {
    id,
    name,
    tenant: nameOfTenant(world, tenantId),
    version,
    contents: latest(contents, showContent),
    comments: latest(comments, showDated),
    submissions: latest(submissions, showDated),
    publications: latest(publications, showPublication).map(({ pages: _, ...one }) => one),
    subscriptions: [...world.subscriptions.of(id).values()].map(showSubscription).map((one) => ({
      id: one.id,
      url: one.url,
      events: one.events,
      channel: one.channel,
      has_secret: one.has_secret,
      created_at: one.created_at,
    })),
    totals: {
      contents: contents.size,
      comments: comments.size,
      submissions: submissions.size,
      publications: publications.size,
    },
  };
}

function withoutSite<Shown extends { site_id: number }>({ site_id: _, ...shown }: Shown) {
  return shown;
}
