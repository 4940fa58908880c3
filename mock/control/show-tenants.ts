// Tenants with the credentials that are known of them.
import type { Schemas } from '../../openapi/generated/control-types.ts';
import { digest, isPasswordOf } from '../world/digests.ts';
import type { Tenant } from '../world/entries.ts';
import type { World } from '../world/world.ts';
import type { ControlledMock } from './controlled-mock.ts';

type Seed = Pick<ControlledMock, 'tenants'>;

export function showTenants(mock: ControlledMock): Schemas['Tenant'][] {
  const { world } = mock;
  const overview = overviewOf(mock, world);
  return [...world.tenants.values()].map((one) => showTenant(world, one, overview));
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
export function keysOf(seed: Seed, world: World, tenantId: number): Schemas['Tenant']['api_keys'] {
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
): Schemas['Tenant']['api_keys'] {
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
): Schemas['Tenant'] {
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
