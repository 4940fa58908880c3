// Begins with a saved world instead of a seed.
import { changeClockMode } from '../clock/clock.ts';
import { ControlError } from '../control/control-error.ts';
import { readSavedWorld } from '../control/saved-world.ts';
import { createWorldFromSeed, type SeedOptions, type TenantAccess } from '../world/create-world.ts';
import { demoSeedOf, mostDemoTenants } from '../world/demo-world.ts';
import { digest, isPasswordOf } from '../world/digests.ts';
import { toSnapshot } from '../world/snapshot.ts';
import type { ClockState, World } from '../world/world.ts';

interface Beginning {
  seed: number;
  /** Where it is not given, the clock goes as it did. */
  clock?: ClockState['mode'];
  subscriptionIds: SeedOptions['subscriptionIds'];
}

/** What creates the world of a snapshot, each time anew, and who can act in it. Throws an Error that says what is wrong with the snapshot. */
export function beginSaved(snapshot: object, beginning: Beginning) {
  const saved = toSnapshot(readSnapshot(snapshot));
  return () => {
    const world = readSavedWorld(saved);
    if (beginning.clock) world.clock = changeClockMode(world.clock, beginning.clock);
    return { world, tenants: accessTo(world, beginning) };
  };
}

function readSnapshot(snapshot: object): World {
  try {
    return readSavedWorld(snapshot);
  } catch (error) {
    if (error instanceof ControlError) throw new Error(error.message.replace(/^PUT \/_mock\/world: /, ''));
    throw error;
  }
}

/** A snapshot has passwords and keys as digests. Those of the demo world are known, and are the same in what was made of it. */
function accessTo(world: World, { seed, subscriptionIds }: Beginning): TenantAccess[] {
  const demo = createWorldFromSeed(demoSeedOf(Math.min(world.tenants.size, mostDemoTenants) || 1), {
    seed,
    clock: { mode: 'manual', time: 0 },
    subscriptionIds,
  });
  return [...world.tenants.values()].map(({ id, name }) => {
    const known = demo.tenants.find((tenant) => tenant.id === id);
    const apiKeys = (known?.apiKeys ?? []).filter((key) => world.apiKeys.get(digest(key))?.tenantId === id);
    return {
      id,
      name,
      users: (known?.users ?? []).filter(
        ({ username, password }) =>
          isPasswordOf(world.users.get(username), password) && world.users.get(username)?.tenantId === id,
      ),
      apiKey: apiKeys[0],
      apiKeys,
      sites: [...world.sites.values()]
        .filter((site) => site.tenantId === id)
        .map((site) => ({ id: site.id, name: site.name })),
    };
  });
}
