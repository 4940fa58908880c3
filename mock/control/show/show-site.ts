// Sites and what they have, and tenants with the credentials that are known of them.
import type { Schemas } from '../../../openapi/generated/control-types.ts';
import { digest, isPasswordOf } from '../../world/digests.ts';
import type { Comment, Content, Publication, Site, Submission, Subscription } from '../../world/entries.ts';
import type { World } from '../../world/world.ts';
import { nameOfTenant } from '../control-error.ts';
import type { ControlledMock } from '../controlled-mock.ts';
import { redactAddress } from '../redact-request.ts';
import { show } from './show.ts';

/** What a site has, by the names of the world's collections. */
export interface PartsOfSite {
  contents: Content;
  submissions: Submission;
  comments: Comment;
  publications: Publication;
  subscriptions: Subscription;
}

export function showSite(world: World, { id, tenantId, name, version, createdAt, source }: Site) {
  return show({ id, name, tenant: nameOfTenant(world, tenantId), version, createdAt, source });
}

export function showContent({ siteId, updatedAt, ...content }: Content) {
  return show({ ...content, siteId, updatedAt });
}

/** Of a submission or a comment. */
export function showDated<Entry extends { siteId: number; at: number }>({ siteId, at, ...entry }: Entry) {
  return { ...entry, ...show({ siteId, at }) };
}

export function showSubscription({ siteId, url, events, secret, createdAt, ...subscription }: Subscription) {
  const shown = { events: [...events], siteId, url: redactAddress(url), hasSecret: secret !== undefined };
  return show({ ...subscription, ...shown, createdAt });
}

const mostShown = 100;

/** A site with the newest of what it has. */
export function showInside(world: World, { id, name, tenantId, version }: Site): Schemas['SiteInside'] {
  const latest = <Entry extends object, Shown extends { site_id: number }>(
    entries: ReadonlyMap<unknown, Entry>,
    showOne: (entry: Entry) => Shown,
    most = mostShown,
  ) => [...entries.values()].slice(-most).map((entry) => withoutSite(showOne(entry)));
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
    publications: latest(publications, ({ pages: _, ...one }) => show(one)),
    subscriptions: latest(world.subscriptions.of(id), showSubscription, Number.POSITIVE_INFINITY),
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

/** All tenants, or some, with the passwords and API keys that the seed gave them and that are still valid. */
export function showTenants(
  { world, tenants: seed }: ControlledMock,
  shown = [...world.tenants.values()],
): Schemas['Tenant'][] {
  // Grouped once, since there may be a thousand tenants.
  const keys = new Map(seed.flatMap(({ apiKeys }) => apiKeys.map((key) => [digest(key), key] as const)));
  const candidates = Map.groupBy(
    seed.flatMap(({ users }) => users),
    ({ username }) => username,
  );
  const usersOf = Map.groupBy(world.users, ([, { tenantId }]) => tenantId);
  const passwordOf = (username: string) =>
    candidates.get(username)?.find(({ password }) => isPasswordOf(world.users.get(username), password));
  return shown.map(({ id, name }) => {
    const sites = [...world.sites.of(id).values()];
    const subscriptions = sites.flatMap((site) => [...world.subscriptions.of(site.id).values()]);
    const secrets = new Set(subscriptions.flatMap(({ secret }) => secret ?? []));
    return show({
      id,
      name,
      signingSecrets: secrets.size > 0 ? [...secrets] : undefined,
      users: (usersOf.get(id) ?? []).map(([username]) =>
        show({ username, password: passwordOf(username)?.password }),
      ),
      apiKeys: [...world.apiKeys.of(id)]
        .filter(([, { deletedAt }]) => deletedAt === undefined)
        .map(([hash, key]) => show({ id: key.id, name: key.name, key: keys.get(hash) })),
      sites: sites.map((site) => ({
        id: site.id,
        name: site.name,
        version: site.version,
        subscriptions: world.subscriptions.of(site.id).size,
      })),
    });
  });
}
