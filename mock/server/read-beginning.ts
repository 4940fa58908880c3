// What a world begins with: the demo world, a world file, or a saved world.
import type { Profile } from '../../openapi/profile.ts';
import { demoSeedOf, mostDemoTenants } from '../world/demo-world.ts';
import type { Snapshot } from '../world/snapshot.ts';
import { subscriptionIdsOf } from '../world/subscription-id.ts';
import type { ClockState } from '../world/world.ts';
import type { WorldSeed } from '../world/world-seed.ts';
import { MockError } from './mock-error.ts';
import type { Beginning, WorldData } from './mock-options.ts';

/** The path of a world file or of a saved world, or the contents of either. */
export type WorldChoice = string | WorldSeed<number | bigint> | Snapshot;

interface Choice {
  world?: WorldChoice | undefined;
  /** How many the demo world has. */
  tenants?: number;
  /** Of a saved world, where it is to go otherwise than it did. */
  clock?: ClockState['mode'] | undefined;
  seed: number;
  profile: Profile;
}

/** Throws MockError or WorldFileError. */
export async function readBeginning(choice: Choice): Promise<Beginning> {
  const { world, tenants } = choice;
  const data = await readWorldData(world, tenants);
  if (world === undefined) return { data, world: data as WorldSeed };
  const { isSnapshot } = await import('../world-file/read-world-file.ts');
  if (!isSnapshot(data)) return { data, world: data as WorldSeed };
  return beginWith(data, typeof world === 'string' ? world : 'world', choice);
}

/** Throws MockError or WorldFileError. */
export async function readWorldData(
  world: WorldChoice | undefined,
  tenants: number | undefined,
): Promise<WorldData> {
  if (world === undefined) return demoWorldOf(tenants);
  if (tenants !== undefined)
    throw new MockError('--tenants is for the demo world, and --world names another; leave one of them out');
  // Loaded on demand: the demo world needs neither validation nor YAML.
  const { isSnapshot, readWorldFile } = await import('../world-file/read-world-file.ts');
  if (typeof world !== 'string') {
    if (isSnapshot(world)) return world as Snapshot;
    return (await import('../world-file/validate-seed.ts')).checkWorldSeed(world, 'world');
  }
  const read = readWorldFile(world);
  return 'snapshot' in read ? (read.snapshot as Snapshot) : read;
}

function demoWorldOf(tenants = 2): WorldSeed {
  if (Number.isInteger(tenants) && tenants >= 1 && tenants <= mostDemoTenants) return demoSeedOf(tenants);
  throw new MockError(
    `--tenants is ${tenants}; the demo world has 1 to ${mostDemoTenants} tenants, and a world file as many as it names`,
  );
}

async function beginWith(
  snapshot: WorldData,
  source: string,
  { seed, clock, profile }: Choice,
): Promise<Beginning> {
  const { beginSaved } = await import('./begin-saved.ts');
  try {
    const subscriptionIds = subscriptionIdsOf(profile);
    return {
      data: snapshot,
      createWorld: beginSaved(snapshot, { seed, subscriptionIds, ...(clock && { clock }) }),
    };
  } catch (error) {
    throw new MockError(`${source}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
