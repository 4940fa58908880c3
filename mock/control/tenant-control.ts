// Tenants with the credentials that are known of them, and what is in their sites.
import { digest, isPasswordOf } from '../world/digests.ts';
import { isoTime } from '../world/time.ts';
import type { Site, Subscription, Tenant, World } from '../world/world.ts';
import type { ControlContext } from './control-context.ts';
import { ControlError } from './control-error.ts';
import type { SiteView, TenantView } from './control-views.ts';
import { redactAddress } from './redact-request.ts';
import { nameOfTenant } from './tenants.ts';

type Seed = Pick<ControlContext, 'tenants'>;

export function tenantControl(context: ControlContext) {
  const { read } = context;
  return {
    tenants: (): { tenants: TenantView[] } =>
      read((world) => {
        const counts = Map.groupBy(world.subscriptions.values(), ({ siteId }) => siteId);
        const countOf = (id: number) => counts.get(id)?.length ?? 0;
        return {
          tenants: [...world.tenants.values()].map((one) => showTenant(context, world, { ...one, countOf })),
        };
      }),

    site: (id: number): SiteView =>
      read((world) => {
        const site = world.sites.get(id);
        if (site) return showSite(world, site);
        throw new ControlError(404, `there is no site ${id}; GET /_mock/tenants lists them`);
      }),
  };
}

/** The password that the seed gave a user, if it is still valid. */
export function passwordOf({ tenants }: Seed, { users }: World, username: string): string | undefined {
  const candidates = tenants()
    .flatMap((one) => one.users)
    .filter((one) => one.username === username);
  return candidates.find(({ password }) => isPasswordOf(users.get(username), password))?.password;
}

/** The API keys of a tenant, in full where they are those of the seed. */
export function keysOf({ tenants }: Seed, { apiKeys }: World, tenantId: number): TenantView['api_keys'] {
  const known = new Map(
    tenants()
      .flatMap((one) => one.apiKeys)
      .map((key) => [digest(key), key]),
  );
  return [...apiKeys]
    .filter(([, key]) => key.tenantId === tenantId && key.deletedAt === undefined)
    .map(([hash, { id, name }]) => {
      const key = known.get(hash);
      return { id, name, ...(key !== undefined && { key }) };
    });
}

function showTenant(
  seed: Seed,
  world: World,
  { id, name, countOf }: Tenant & { countOf(siteId: number): number },
): TenantView {
  const users = [...world.users].filter(([, user]) => user.tenantId === id);
  const sites = [...world.sites.values()].filter((site) => site.tenantId === id);
  return {
    id,
    name,
    users: users.map(([username]) => {
      const password = passwordOf(seed, world, username);
      return { username, ...(password !== undefined && { password }) };
    }),
    api_keys: keysOf(seed, world, id),
    sites: sites.map((site) => ({
      id: site.id,
      name: site.name,
      version: site.version,
      subscriptions: countOf(site.id),
    })),
  };
}

const mostShown = 100;

function showSite(world: World, { id, name, tenantId, version }: Site): SiteView {
  const own = <Entry extends { siteId: number }>(entries: ReadonlyMap<unknown, Entry>) =>
    [...entries.values()].filter(({ siteId }) => siteId === id);
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
