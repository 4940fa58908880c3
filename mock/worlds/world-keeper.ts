// The calls of the control API about worlds by name.

import type { Schemas } from '../../openapi/generated/control-types.ts';
import { loadPackagedProfile, makeProfile, type Profile, ProfileError } from '../../openapi/profile.ts';
import { ControlError } from '../control/control-error.ts';
import type { Addresses, WorldKeeper } from '../control/controlled-mock.ts';
import { showClock } from '../control/show/show.ts';
import { explainUnknownFault } from '../faults/fault-switch.ts';
import { explainUnknown } from '../variations/variations.ts';
import type { createWorldFromSeed, SeedOptions, TenantAccess } from '../world/create-world.ts';
import { mainWorld } from '../world/main-world.ts';
import type { Snapshot } from '../world/snapshot.ts';
import { isoTime, parseDuration } from '../world/time.ts';
import type { ClockState } from '../world/world.ts';
import type { WorldSeed } from '../world/world-seed.ts';
import { prefixOf } from './choose-world.ts';
import { mostWorlds, type NamedWorld, type NamedWorlds } from './named-worlds.ts';
import type { ServedMock } from './served-mock.ts';
import { sharedBound } from './shared-bytes.ts';
import { type KeptLine, mostKept, type Shelf } from './shelf.ts';

/** In what a world differs from the mock as it was started. */
export interface WorldSettings {
  profile?: Profile;
  seed?: number;
  clock?: ClockState['mode'];
  beginning?: Beginning;
  variations?: readonly string[];
  faults?: readonly string[];
}

/** What a world begins with. */
export interface Beginning {
  /** A world file or a saved world. */
  data: WorldSeed | Snapshot;
  /** Makes it, each time anew. */
  create(options: SeedOptions): ReturnType<typeof createWorldFromSeed>;
}

/** Those of a world, by those of main. */
export function addressesIn(name: string, { baseUrl, controlUrl }: Addresses): Addresses {
  const within = (url: string) => url.replace(/(\/api\/v1|\/_mock)$/, `${prefixOf(name)}$1`);
  return { baseUrl: within(baseUrl), controlUrl: within(controlUrl) };
}

/** What is shown of a world. */
interface Shown {
  mock: ServedMock;
  createdAt: number;
  hasControlToken: boolean;
}

type Line = Omit<KeptLine, 'id'>;

/** Reads what a world begins with. Throws an error of those who asked for it. */
type ReadWorld = (
  world: object,
  choice: { seed: number; profile: Profile; clock: ClockState['mode'] | undefined },
) => Promise<Beginning>;

/** Of a list of worlds. */
interface Entry {
  number: number;
  show(): Schemas['NamedWorld'];
}

const wholePage = { cursor: undefined, limit: 100, order: 'oldest' } as const;

interface KeeperParts {
  main(): Shown;
  readWorld: ReadWorld;
  shelf: Shelf | undefined;
}

export function createKeeper(
  worlds: NamedWorlds<WorldSettings>,
  { main, readWorld, shelf }: KeeperParts,
): WorldKeeper {
  const showLine = ({
    name,
    profile,
    seed,
    hasToken,
    createdAt,
    expiresAt,
    clock,
  }: Line): Schemas['NamedWorld'] => {
    const { mock, hasControlToken } = main();
    const addresses = mock.addresses();
    const { baseUrl, controlUrl } = name === mainWorld ? addresses : addressesIn(name, addresses);
    return {
      name,
      base_url: baseUrl,
      control_url: controlUrl,
      profile,
      seed,
      clock: showClock({ clock: clock ?? { mode: 'real', offset: 0 } }),
      has_control_token: hasControlToken || hasToken,
      created_at: isoTime(createdAt),
      ...(expiresAt !== undefined && { expires_at: isoTime(expiresAt) }),
    };
  };
  const showMain = (): Schemas['NamedWorld'] =>
    showLine({ ...lineOf(main()), name: mainWorld, hasToken: false, expiresAt: undefined });
  const showNamed = (world: NamedWorld): Schemas['NamedWorld'] =>
    showLine({
      ...lineOf(world),
      name: world.name,
      hasToken: world.tokenDigest !== undefined,
      expiresAt: world.expiresAt,
    });
  const entryOfKept = (line: KeptLine): Entry => ({ number: line.id, show: () => showLine(line) });
  const kept = () => ({ bytes: worlds.bytes(), bound: sharedBound });
  const bounds = () => ({ most: shelf ? mostKept : mostWorlds, kept: kept() });
  /** Of entries that are all those of a page, and one more where there is a next page. */
  const showPage = (entries: readonly Entry[], total: number, limit: number) => {
    const shown = entries.slice(0, limit);
    const next = entries.length > limit ? shown.at(-1)?.number : undefined;
    return {
      worlds: shown.map(({ show: showIt }) => showIt()),
      total,
      ...(next !== undefined && { next }),
      ...bounds(),
    };
  };
  const mainEntry = { number: 0, show: showMain };
  const namedEntries = () =>
    worlds
      .list()
      .toSorted((one, other) => one.number - other.number)
      .map((world) => ({ number: world.number, show: () => showNamed(world) }));
  return {
    async create(request) {
      const { world, controlToken } = await worlds.create({
        name: request.name,
        expiresInMs: readExpiry(request.expires_in),
        hasOwnToken: request.control_token,
        settings: await readSettings(request, main().mock, readWorld),
      });
      return { ...showNamed(world), ...showAccess(world.mock, controlToken) };
    },
    list() {
      const entries = [mainEntry, ...namedEntries()];
      return showPage(entries, entries.length, entries.length);
    },
    async listAll(page) {
      const { limit, cursor, order } = { ...wholePage, ...page };
      const isNewestFirst = order === 'newest';
      const isWanted = ({ number }: Entry) =>
        cursor === undefined || (isNewestFirst ? number < cursor : number > cursor);
      const read = { cursor, limit: limit + 1, isNewestFirst };
      const named = shelf ? (await shelf.list(read)).map(entryOfKept) : namedEntries();
      if (!shelf && isNewestFirst) named.reverse();
      const entries = isNewestFirst ? [...named, mainEntry] : [mainEntry, ...named];
      const total = shelf ? await shelf.count() : entries.length;
      return showPage(entries.filter(isWanted), total, limit);
    },
    end: worlds.end,
  };
}

function lineOf({ mock: { profile, seed, world }, createdAt }: Omit<Shown, 'hasControlToken'>) {
  return { profile: profile.name, seed, clock: world.clock, createdAt };
}

function showAccess(
  { tenants }: ServedMock,
  controlToken: string | undefined,
): Pick<Schemas['CreatedWorld'], 'control_token' | 'tenants'> {
  return {
    ...(controlToken !== undefined && { control_token: controlToken }),
    tenants: tenants.map(showTenant),
  };
}

function showTenant({
  id,
  name,
  users,
  apiKey,
  sites,
}: TenantAccess): Schemas['CreatedWorld']['tenants'][number] {
  return {
    id,
    name,
    users,
    ...(apiKey !== undefined && { api_key: apiKey }),
    site_ids: sites.map((site) => site.id),
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
  const spoken = profile === undefined ? undefined : readProfile(profile);
  const choice = { clock, seed: seed ?? main.seed, profile: spoken ?? main.profile };
  return {
    ...(clock && { clock }),
    ...(seed !== undefined && { seed }),
    ...(variations && { variations }),
    ...(faults && { faults }),
    ...(spoken && { profile: spoken }),
    ...(world && { beginning: await readBeginning(readWorld(world, choice)) }),
  };
}

/** Never a path: who may call the control API may not read files. */
function readProfile(profile: NonNullable<Schemas['WorldRequest']['profile']>): Profile {
  try {
    if (typeof profile === 'string') return loadPackagedProfile(profile);
    return makeProfile(profile.values, { name: profile.name, source: 'profile' });
  } catch (error) {
    throw refusalOf(error, ProfileError);
  }
}

/** A seed or a saved world that is wrong is a mistake of who has sent it. */
async function readBeginning<T>(read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    throw refusalOf(error, Error);
  }
}

function refusalOf(error: unknown, expected: abstract new (...args: never[]) => Error): unknown {
  if (!(error instanceof expected)) return error;
  return new ControlError(400, `POST /_mock/worlds: ${error.message.replaceAll('\n', '; ')}`);
}
