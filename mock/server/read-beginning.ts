import type { Profile } from '../../openapi/profile.ts';
import { changeClockMode } from '../clock/clock.ts';
import { ControlError } from '../control/control-error.ts';
import { readSavedWorld } from '../control/saved-world.ts';
import { createWorldFromSeed, type TenantAccess } from '../world/create-world.ts';
import { demoSeedOf, mostDemoTenants } from '../world/demo-world.ts';
import { digest, isPasswordOf } from '../world/digests.ts';
import type { ApiKey, Snapshot, User } from '../world/entries.ts';
import { toSnapshot } from '../world/snapshot.ts';
import { subscriptionIdsOf } from '../world/subscription-rules.ts';
import type { ClockState, World } from '../world/world.ts';
import type { WorldSeed } from '../world/world-seed.ts';
import type { Beginning } from '../worlds/world-settings.ts';
import { MockError, type WorldChoice } from './mock-options.ts';

interface Choice {
  world?: WorldChoice | undefined;
  tenants?: number;
  clock?: ClockState['mode'] | undefined;
  seed: number;
  profile: Profile;
}

/** Throws a MockError or WorldFileError if the world can't be read. */
export async function readBeginning(choice: Choice): Promise<Beginning> {
  const { world, tenants } = choice;
  const data = await readWorldData(world, tenants);
  if (world === undefined) return beginSeed(data as WorldSeed);
  const { isSnapshot } = await import('../world-file/read-world-file.ts');
  if (!isSnapshot(data)) return beginSeed(data);
  return beginSaved(data, typeof world === 'string' ? world : 'world', choice);
}

export function beginSeed(data: WorldSeed): Beginning {
  return { data, create: (options) => createWorldFromSeed(data, options) };
}

/** Throws a MockError or WorldFileError if the world can't be read. */
export async function readWorldData(
  world: WorldChoice | undefined,
  tenants: number | undefined,
): Promise<Beginning['data']> {
  if (world === undefined) return demoWorldOf(tenants);
  if (tenants !== undefined)
    throw new MockError('--tenants is for the demo world, and --world names another; leave one of them out');
  // Loaded on demand: the demo world needs neither validation nor YAML.
  const { isSnapshot, readWorldFile } = await import('../world-file/read-world-file.ts');
  if (typeof world === 'string') return readWorldFile(world);
  if (isSnapshot(world)) return world;
  return (await import('../world-file/validate-seed.ts')).checkWorldSeed(world, 'world');
}

function demoWorldOf(tenants = 2): WorldSeed {
  if (Number.isInteger(tenants) && tenants >= 1 && tenants <= mostDemoTenants) return demoSeedOf(tenants);
  throw new MockError(
    `--tenants is ${tenants}; the demo world has 1 to ${mostDemoTenants} tenants, and a world file as many as it names`,
  );
}

/** The clock of the saved world continues unless another mode is chosen. */
function beginSaved(data: Snapshot, source: string, choice: Choice): Beginning {
  const { clock } = choice;
  const saved = toSnapshot(readSnapshot(data, source));
  return {
    data,
    create() {
      const world = readSavedWorld(saved);
      if (clock) world.clock = changeClockMode(world.clock, clock);
      return { world, tenants: accessTo(world, choice) };
    },
  };
}

function readSnapshot(snapshot: object, source: string): World {
  try {
    return readSavedWorld(snapshot);
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
    throw new MockError(`${source}: ${error.message.replace(/^PUT \/_mock\/world: /, '')}`);
  }
}

/** A snapshot has only digests of credentials, but those of the demo world are public. */
function accessTo(world: World, { seed, profile }: Choice): TenantAccess[] {
  const { users, apiKeys } = world;
  const demo = createWorldFromSeed(demoSeedOf(Math.min(world.tenants.size, mostDemoTenants) || 1), {
    seed,
    clock: { mode: 'manual', time: 0 },
    subscriptionIds: subscriptionIdsOf(profile),
  });
  return [...world.tenants.values()].map(({ id, name }) => {
    const known = demo.tenants.find((tenant) => tenant.id === id);
    const isOf = (entry: User | ApiKey | undefined) => entry?.tenantId === id;
    const keys = known?.apiKeys.filter((key) => isOf(apiKeys.get(digest(key)))) ?? [];
    const isKnown = ({ username, password }: { username: string; password: string }) =>
      isOf(users.get(username)) && isPasswordOf(users.get(username), password);
    return {
      id,
      name,
      users: known?.users.filter(isKnown) ?? [],
      apiKey: keys[0],
      apiKeys: keys,
      sites: [...world.sites.of(id).values()].map((site) => ({ id: site.id, name: site.name })),
    };
  });
}
