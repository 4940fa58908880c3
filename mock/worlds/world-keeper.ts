// The calls of the control API about worlds by name.
import type { Schemas } from '../../openapi/generated/control-types.ts';
import { loadPackagedProfile, makeProfile, type Profile } from '../../openapi/profile.ts';
import { ControlError } from '../control/control-error.ts';
import type { Addresses, WorldKeeper } from '../control/controlled-mock.ts';
import { listOf, type PageRequest, pageSize, showClock } from '../control/show/show.ts';
import { explainUnknownFault } from '../faults/fault-switch.ts';
import { explainUnknown } from '../variations/variations.ts';
import { mainWorld } from '../world/main-world.ts';
import { isoTime, parseDuration } from '../world/time.ts';
import type { ClockState } from '../world/world.ts';
import {
  type Beginning,
  mostWorlds,
  type NamedWorld,
  type NamedWorlds,
  type ServedMock,
  type WorldSettings,
} from './named-worlds.ts';
import { sharedBound } from './shared-bytes.ts';
import { mostKept, type Shelf, type WorldLine } from './shelf.ts';
import { prefixOf } from './world-names.ts';

/** Those of a world, by those of main. */
export function addressesIn(name: string, { baseUrl, controlUrl }: Addresses): Addresses {
  const within = (url: string) => url.replace(/(\/api\/v1|\/_mock)$/, `${prefixOf(name)}$1`);
  return { baseUrl: within(baseUrl), controlUrl: within(controlUrl) };
}

/** Reads what a world begins with. Throws an error of those who asked for it. */
type ReadWorld = (
  world: object,
  choice: { seed: number; profile: Profile; clock: ClockState['mode'] | undefined },
) => Promise<Beginning>;

interface KeeperParts {
  main(): { mock: ServedMock; createdAt: number; hasControlToken: boolean };
  readWorld: ReadWorld;
  shelf: Shelf | undefined;
}

export function createKeeper(worlds: NamedWorlds, { main, readWorld, shelf }: KeeperParts): WorldKeeper {
  const show = (line: WorldLine): Schemas['NamedWorld'] => {
    const { mock, hasControlToken } = main();
    const addresses = mock.addresses();
    const { baseUrl, controlUrl } = line.name === mainWorld ? addresses : addressesIn(line.name, addresses);
    return {
      name: line.name,
      base_url: baseUrl,
      control_url: controlUrl,
      profile: line.profile,
      seed: line.seed,
      clock: showClock({ clock: line.clock ?? { mode: 'real', offset: 0 } }),
      has_control_token: hasControlToken || line.hasToken,
      created_at: isoTime(line.createdAt),
      ...(line.expiresAt !== undefined && { expires_at: isoTime(line.expiresAt) }),
    };
  };
  const lineOfMain = (): WorldLine =>
    lineOf({ ...main(), name: mainWorld, number: 0, tokenDigest: undefined, expiresAt: undefined });
  const showPage = (lines: readonly WorldLine[], page: PageRequest) => ({
    ...listOf('worlds', lines, page, show),
    most: shelf ? mostKept : mostWorlds,
    kept: { bytes: worlds.bytes(), bound: sharedBound },
  });
  const inMemory = () => [lineOfMain(), ...worlds.list().map(lineOf)];
  return {
    async create(request) {
      const { world, controlToken } = await worlds.create({
        name: request.name,
        expiresInMs: readExpiry(request.expires_in),
        hasOwnToken: request.control_token,
        settings: await readSettings(request, main().mock, readWorld),
      });
      return { ...show(lineOf(world)), ...showAccess(world.mock, controlToken) };
    },
    list: () => showPage(inMemory(), { limit: Number.POSITIVE_INFINITY }),
    async listAll(page) {
      if (!shelf) return showPage(inMemory(), page);
      const { limit = pageSize, cursor, order } = page;
      // One more than are shown tells whether there is a next page.
      const named = await shelf.list({ cursor, limit: limit + 1, isNewestFirst: order === 'newest' });
      return { ...showPage([lineOfMain(), ...named], page), total: await shelf.count() };
    },
    end: worlds.end,
  };
}

type Listed = Pick<NamedWorld, 'mock' | 'name' | 'number' | 'tokenDigest' | 'createdAt' | 'expiresAt'>;

function lineOf({ mock, name, number: id, tokenDigest, createdAt, expiresAt }: Listed): WorldLine {
  const { profile, seed, world } = mock;
  const hasToken = tokenDigest !== undefined;
  return { id, name, profile: profile.name, seed, clock: world.clock, hasToken, createdAt, expiresAt };
}

function showAccess({ tenants }: ServedMock, controlToken: string | undefined) {
  return {
    ...(controlToken !== undefined && { control_token: controlToken }),
    tenants: tenants.map(({ id, name, users, apiKey, sites }) => ({
      id,
      name,
      users,
      ...(apiKey !== undefined && { api_key: apiKey }),
      site_ids: sites.map((site) => site.id),
    })),
  };
}

/** Ten years, including leap days. */
const longestMs = 3653 * 86_400_000;

/** Throws a ControlError for a duration that no world may last. */
export function readExpiry(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = parseDuration(text);
  if (ms !== undefined && ms > 0 && ms <= longestMs) return ms;
  throw new ControlError(
    400,
    `a world can't expire in ${JSON.stringify(text)}; give a duration of more than nothing and at most ten years, such as PT2H`,
  );
}

async function readSettings(
  request: Schemas['WorldRequest'],
  main: ServedMock,
  readWorld: ReadWorld,
): Promise<WorldSettings> {
  const { clock, seed, variations, faults, profile, world } = request;
  const unknown = explainUnknown(variations ?? []) ?? (await explainUnknownFault(faults ?? []));
  if (unknown !== undefined) throw new ControlError(400, `POST /_mock/worlds: ${unknown}`);
  const spoken = profile === undefined ? undefined : await blameRequest(() => readProfile(profile));
  const choice = { clock, seed: seed ?? main.seed, profile: spoken ?? main.profile };
  return {
    ...(clock && { clock }),
    ...(seed !== undefined && { seed }),
    ...(variations && { variations }),
    ...(faults && { faults }),
    ...(spoken && { profile: spoken }),
    ...(world && { beginning: await blameRequest(() => readWorld(world, choice)) }),
  };
}

/** Never a path: who may call the control API may not read files. */
function readProfile(profile: NonNullable<Schemas['WorldRequest']['profile']>): Profile {
  if (typeof profile === 'string') return loadPackagedProfile(profile);
  return makeProfile(profile.values, { name: profile.name, source: 'profile' });
}

/** A profile, a seed or a saved world that is wrong is a mistake of who has sent it. */
async function blameRequest<T>(read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new ControlError(400, `POST /_mock/worlds: ${error.message.replaceAll('\n', '; ')}`);
  }
}
