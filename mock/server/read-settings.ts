import type { Schemas } from '../../openapi/generated/control-types.ts';
import {
  loadPackagedProfile,
  loadProfile,
  makeProfile,
  type Profile,
  ProfileError,
} from '../../openapi/profile.ts';
import { ControlError } from '../control/control-error.ts';
import { explainUnknownFault } from '../faults/fault-switch.ts';
import { explainUnknown } from '../variations/variations.ts';
import { demoSeed } from '../world/demo-world.ts';
import type { WorldSettings } from '../worlds/world-settings.ts';
import { MockError, type StartOptions, type WorldChoice } from './mock-options.ts';
import { beginSeed, readBeginning } from './read-beginning.ts';

/** The options in which a named world may differ from the mock. */
export type WorldOptions = Pick<
  StartOptions,
  'profile' | 'world' | 'clock' | 'seed' | 'variations' | 'faults'
>;

interface Defaults extends Omit<WorldSettings, 'profile'> {
  profile: string | Profile;
}

/** Throws a MockError, ProfileError or WorldFileError if an option is invalid. */
export async function readSettings(
  options: WorldOptions & Pick<StartOptions, 'tenants'>,
  defaults: Defaults,
): Promise<Required<WorldSettings>> {
  const { seed = defaults.seed, clock = defaults.clock, profile = defaults.profile } = options;
  const { variations = defaults.variations ?? [], faults = defaults.faults ?? [] } = options;
  const unknown = explainUnknown(variations) ?? (await explainUnknownFault(faults));
  if (unknown !== undefined) throw new MockError(unknown);
  const spoken = typeof profile === 'string' ? loadProfile(profile) : profile;
  const choosesWorld = options.world !== undefined || options.tenants !== undefined;
  const beginning = choosesWorld
    ? await readBeginning({ ...options, seed, profile: spoken })
    : (defaults.beginning ?? beginSeed(demoSeed));
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
