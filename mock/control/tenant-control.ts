// Tenants with the credentials that are known of them, and what is in their sites.

import type { Collection } from '../world/collection.ts';
import { digest, isPasswordOf } from '../world/digests.ts';
import type { Site, Subscription, Tenant } from '../world/entries.ts';
import { isoTime } from '../world/time.ts';
import type { World } from '../world/world.ts';
import { ControlError } from './control-error.ts';
import type { SiteView, TenantView } from './control-views.ts';
import type { ControlledMock } from './controlled-mock.ts';
import { redactAddress } from './redact-request.ts';
import { nameOfTenant } from './tenants.ts';

type Seed = Pick<ControlledMock, 'tenants'>;

export function tenantControl(mock: ControlledMock) {
  return {
    tenants: (): { tenants: TenantView[] } => {
      const { world } = mock;

      const overview = overviewOf(mock, world);
      return { tenants: [...world.tenants.values()].map((one) => showTenant(world, one, overview)) };
    },

    site: (id: number): SiteView => {
      const { world } = mock;

      const site = world.sites.get(id);
      if (site) return showSite(world, site);
      throw new ControlError(404, `there is no site ${id}; GET /_mock/tenants lists them`);
    },
  };
}

/** The password that the seed gave a user, if it is still valid. */
export function passwordOf({ tenants }: Seed, world: World, username: string): string | undefined {
  return validPassword(
    world,
    username,
    tenants.flatMap(({ users }) => users.filter((user) => user.username === username)),
  );
}

function validPassword(
  { users }: World,
  username: string,
  candidates: readonly { password: string }[] = [],
): string | undefined {
  return candidates.find(({ password }) => isPasswordOf(users.get(username), password))?.password;
}

/** The API keys of a tenant, in full where they are those of the seed. */
export function keysOf(seed: Seed, world: World, tenantId: number): TenantView['api_keys'] {
  return showKeys(world, tenantId, seedKeys(seed));
}

/** The keys of the seed, by their digests. */
function seedKeys({ tenants }: Seed): Map<string, string> {
  return new Map(tenants.flatMap(({ apiKeys }) => apiKeys.map((key) => [digest(key), key] as const)));
}

function showKeys(
  { apiKeys }: World,
  tenantId: number,
  known: ReadonlyMap<string, string>,
): TenantView['api_keys'] {
  return [...apiKeys.of(tenantId)]
    .filter(([, key]) => key.deletedAt === undefined)
    .map(([hash, { id, name }]) => {
      const key = known.get(hash);
      return { id, name, ...(key !== undefined && { key }) };
    });
}

/** What is shown of all tenants, found in one pass: there may be a thousand. */
function overviewOf(seed: Seed, { users, subscriptions }: World) {
  return {
    keys: seedKeys(seed),
    candidates: Map.groupBy(
      seed.tenants.flatMap((one) => one.users),
      ({ username }) => username,
    ),
    users: Map.groupBy(users, ([, { tenantId }]) => tenantId),
    subscriptions: Map.groupBy(subscriptions.values(), ({ siteId }) => siteId),
  };
}

function showTenant(
  world: World,
  { id, name }: Tenant,
  { keys, candidates, users, subscriptions }: ReturnType<typeof overviewOf>,
): TenantView {
  const sites = [...world.sites.of(id).values()];
  const secrets = sites
    .flatMap((site) => subscriptions.get(site.id) ?? [])
    .flatMap(({ secret }) => secret ?? []);
  return {
    id,
    name,
    ...(secrets.length > 0 && { signing_secrets: [...new Set(secrets)] }),
    users: (users.get(id) ?? []).map(([username]) => {
      const password = validPassword(world, username, candidates.get(username));
      return { username, ...(password !== undefined && { password }) };
    }),
    api_keys: showKeys(world, id, keys),
    sites: sites.map((site) => ({
      id: site.id,
      name: site.name,
      version: site.version,
      subscriptions: subscriptions.get(site.id)?.length ?? 0,
    })),
  };
}

const mostShown = 100;

function showSite(world: World, { id, name, tenantId, version }: Site): SiteView {
  const own = <Key, Entry extends object>(entries: Collection<Key, Entry, number>) => [
    ...entries.of(id).values(),
  ];
  const contents = own(world.contents);
  const comments = own(world.comments);
  const submissions = own(world.submissions);
  const publications = own(world.publications);
  return {
    id,
    name,
    tenant: nameOfTenant(world, tenantId),
    version,
    contents: contents
      .slice(-mostShown)
      .map(({ siteId: _, updatedAt, ...one }) => ({ ...one, updated_at: isoTime(updatedAt) })),
    comments: comments.slice(-mostShown).map(({ siteId: _, at, ...one }) => ({ ...one, at: isoTime(at) })),
    submissions: submissions
      .slice(-mostShown)
      .map(({ siteId: _, at, ...one }) => ({ ...one, at: isoTime(at) })),
    publications: publications.slice(-mostShown).map((one) => ({
      id: one.id,
      version: one.version,
      note: one.note,
      state: one.state,
      started_at: isoTime(one.startedAt),
    })),
    subscriptions: own(world.subscriptions).map(showSubscription),
    totals: {
      contents: contents.length,
      comments: comments.length,
      submissions: submissions.length,
      publications: publications.length,
    },
  };
}

function showSubscription({
  id,
  url,
  events,
  channel,
  secret,
  createdAt,
}: Subscription): SiteView['subscriptions'][number] {
  return {
    id,
    url: redactAddress(url),
    events: [...events],
    channel,
    has_secret: secret !== undefined,
    created_at: isoTime(createdAt),
  };
}
