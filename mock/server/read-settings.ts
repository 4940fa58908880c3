import type { Schemas } from '../../openapi/generated/control-types.ts';
import {
  loadPackagedProfile,
  loadProfile,
  makeProfile,
  type Profile,
  ProfileError,
} from '../../openapi/profile.ts';
import { ControlError } from '../control/control-error.ts';
import { readSavedWorld, worldOf } from '../control/saved-world.ts';
import { explainUnknownFault } from '../faults/fault-switch.ts';
import { explainUnknown } from '../variations/variations.ts';
import { createWorldFromSeed, type SeedOptions, type TenantAccess } from '../world/create-world.ts';
import { demoSeed, demoSeedOf, mostDemoTenants } from '../world/demo-world.ts';
import { digest, isPasswordOf } from '../world/digests.ts';
import type { ApiKey, Snapshot, User } from '../world/entries.ts';
import { isSnapshot, toSnapshot } from '../world/snapshot.ts';
import { changeClockMode } from '../world/time.ts';
import type { ClockState, World } from '../world/world.ts';
import type { Beginning, WorldChoice, WorldOptions, WorldSettings } from '../worlds/world-settings.ts';
import { MockError, type StartOptions } from './mock-options.ts';

interface Defaults extends Omit<WorldSettings, 'profile'> {
  profile: string | Profile;
}

/** Throws a MockError, ProfileError or WorldFileError if an option is invalid. */
export async function readSettings(
  options: WorldOptions & Pick<StartOptions, 'tenants'>,
  defaults: Defaults,
): Promise<Required<WorldSettings>> {
  const { seed = defaults.seed, profile = defaults.profile, world, tenants } = options;
  const { variations = defaults.variations ?? [], faults = defaults.faults ?? [] } = options;
  const unknown = explainUnknown(variations) ?? (await explainUnknownFault(faults));
  if (unknown !== undefined) throw new MockError(unknown);
  const spoken = typeof profile === 'string' ? loadProfile(profile) : profile;
  const choosesWorld = world !== undefined || tenants !== undefined;
  const beginning = choosesWorld ? await readBeginning(world, tenants) : (defaults.beginning ?? demoSeed);
  // A saved world brings its own clock.
  const inherited = choosesWorld && isSnapshot(beginning) ? undefined : defaults.clock;
  const { clock = inherited } = options;
  return { profile: spoken, seed, clock, variations, faults, beginning };
}

/** Reads the body of `POST /_mock/worlds`. Throws a ControlError if it is invalid. */
export async function readRequest(
  { profile, world, ...others }: Schemas['WorldRequest'],
  defaults: WorldSettings,
): Promise<WorldSettings> {
  try {
    const options = { ...others, ...(world && { world: world as unknown as WorldChoice }) };
    return await readSettings({ ...options, ...(profile && { profile: readProfile(profile) }) }, defaults);
  } catch (error) {
    // Loaded on demand, since only world files need that module.
    const { WorldFileError } = await import('../world-file/validate-seed.ts');
    const isTheirs =
      error instanceof MockError || error instanceof ProfileError || error instanceof WorldFileError;
    if (!isTheirs) throw error;
    throw new ControlError(400, `POST /_mock/worlds: ${error.message.replaceAll('\n', '; ')}`);
  }
}

/** Never reads a path, since callers of the control API may not read files. */
function readProfile(profile: NonNullable<Schemas['WorldRequest']['profile']>): Profile {
  if (typeof profile === 'string') return loadPackagedProfile(profile);
  return makeProfile(profile.values, { name: profile.name, source: 'profile' });
}

/** Default: the demo world. Throws a MockError or WorldFileError if the world can't be read. */
export async function readBeginning(world: WorldChoice | undefined, tenants?: number): Promise<Beginning> {
  if (world === undefined) return demoWorldOf(tenants);
  if (tenants !== undefined)
    throw new MockError('--tenants applies only to the demo world; omit --tenants or --world');
  // Loaded on demand: the demo world needs neither validation nor YAML.
  if (typeof world === 'string') {
    const { readWorldFile } = await import('../world-file/read-world-file.ts');
    const data = readWorldFile(world);
    return isSnapshot(data) ? checkSnapshot(data, world) : data;
  }
  if (isSnapshot(world)) return checkSnapshot(world, 'world');
  return (await import('../world-file/validate-seed.ts')).checkWorldSeed(world, 'world');
}

function demoWorldOf(tenants = 2): Beginning {
  if (Number.isInteger(tenants) && tenants >= 1 && tenants <= mostDemoTenants) return demoSeedOf(tenants);
  throw new MockError(
    `--tenants is ${tenants}; expected 1 to ${mostDemoTenants}; for more tenants, use a world file`,
  );
}

function checkSnapshot(snapshot: object, source: string): Snapshot {
  try {
    return toSnapshot(readSavedWorld(snapshot));
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
    throw new MockError(`${source}: ${error.message.replace(/^PUT \/_mock\/world: /, '')}`);
  }
}

/** The clock of a saved world continues unless a mode is chosen. */
export function beginWorld(
  beginning: Beginning,
  mode: ClockState['mode'] | undefined,
  options: SeedOptions,
): ReturnType<typeof createWorldFromSeed> {
  if (!isSnapshot(beginning)) return createWorldFromSeed(beginning, options);
  const world = worldOf(beginning);
  if (mode) world.clock = changeClockMode(world.clock, mode);
  return { world, tenants: accessTo(world, options) };
}

/** A snapshot has only digests of credentials, but the credentials of the demo world are public. */
function accessTo(world: World, { seed, subscriptionIds }: SeedOptions): TenantAccess[] {
  const { users, apiKeys } = world;
  const demo = createWorldFromSeed(demoSeedOf(Math.min(world.tenants.size, mostDemoTenants) || 1), {
    seed,
    clock: { mode: 'manual', time: 0 },
    subscriptionIds,
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
