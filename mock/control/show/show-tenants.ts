import type { Schemas } from '../../../openapi/generated/control-types.ts';
import { lazily } from '../../../openapi/libraries.ts';
import { digest, isPasswordOf } from '../../world/digests.ts';
import type { ControlledMock } from '../controlled-mock.ts';
import { show } from './show.ts';

/** The passwords and API keys of the seed that are still valid, with digests made only on demand. */
export function knownSecrets({ world, tenants }: ControlledMock) {
  const users = tenants.flatMap((tenant) => tenant.users);
  const candidates = Map.groupBy(users, ({ username }) => username);
  const allKeys = tenants.flatMap(({ apiKeys }) => apiKeys);
  const keys = lazily(() => new Map(allKeys.map((key) => [digest(key), key])));
  return {
    passwordOf(username: string): string | undefined {
      const user = world.users.get(username);
      return candidates.get(username)?.find(({ password }) => isPasswordOf(user, password))?.password;
    },
    keysOf: (tenantId: number) =>
      [...world.apiKeys.of(tenantId)]
        .filter(([, { deletedAt }]) => deletedAt === undefined)
        .map(([hash, { id, name }]) => show({ id, name, key: keys().get(hash) })),
  };
}

export function showTenants(mock: ControlledMock): Schemas['Tenant'][] {
  const { world } = mock;
  // Grouped once, since there may be a thousand tenants.
  const { passwordOf, keysOf } = knownSecrets(mock);
  const usersOf = Map.groupBy(world.users, ([, { tenantId }]) => tenantId);
  return [...world.tenants.values()].map(({ id, name }) => {
    const sites = [...world.sites.of(id).values()];
    const subscriptions = sites.flatMap((site) => [...world.subscriptions.of(site.id).values()]);
    const secrets = new Set(subscriptions.flatMap(({ secret }) => secret ?? []));
    return show({
      id,
      name,
      signingSecrets: secrets.size > 0 ? [...secrets] : undefined,
      users: (usersOf.get(id) ?? []).map(([username]) => show({ username, password: passwordOf(username) })),
      apiKeys: keysOf(id),
      sites: sites.map((site) => ({
        id: site.id,
        name: site.name,
        version: site.version,
        subscriptions: world.subscriptions.of(site.id).size,
      })),
    });
  });
}
