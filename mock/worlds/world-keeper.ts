// The calls of the control API about worlds by name.
import type { Schemas } from '../../openapi/generated/control-types.ts';
import { ControlError } from '../control/control-error.ts';
import type { Addresses, WorldKeeper } from '../control/controlled-mock.ts';
import { listOf, type PageRequest, pageSize, showClock } from '../control/show/show.ts';
import { isoTime, parseDuration } from '../world/time.ts';
import { mostWorlds, type NamedWorld, type NamedWorlds, type ServedMock } from './named-worlds.ts';
import { sharedBound } from './shared-bytes.ts';
import { mostKept, type Shelf, type WorldLine } from './shelf.ts';
import { prefixOf } from './world-names.ts';
import type { WorldSettings } from './world-settings.ts';

/** Those of a world, by those of main. */
export function addressesIn(name: string, { baseUrl, controlUrl }: Addresses): Addresses {
  const within = (url: string) => url.replace(/(\/api\/v1|\/_mock)$/, `${prefixOf(name)}$1`);
  return { baseUrl: within(baseUrl), controlUrl: within(controlUrl) };
}

interface KeeperParts {
  /** The world main, as one of them. */
  main(): Listed;
  /** Throws a ControlError for what is wrong with a request. */
  readRequest(request: Schemas['WorldRequest']): Promise<WorldSettings>;
  shelf: Shelf | undefined;
}

export function createKeeper(worlds: NamedWorlds, { main, readRequest, shelf }: KeeperParts): WorldKeeper {
  const show = (line: WorldLine): Schemas['NamedWorld'] => {
    const { mock, tokenDigest } = main();
    const { baseUrl, controlUrl } = addressesIn(line.name, mock.addresses());
    return {
      name: line.name,
      base_url: baseUrl,
      control_url: controlUrl,
      profile: line.profile,
      seed: line.seed,
      clock: showClock({ clock: line.clock ?? { mode: 'real', offset: 0 } }),
      has_control_token: tokenDigest !== undefined || line.hasToken,
      created_at: isoTime(line.createdAt),
      ...(line.expiresAt !== undefined && { expires_at: isoTime(line.expiresAt) }),
    };
  };
  const showPage = (lines: readonly WorldLine[], page: PageRequest) => ({
    ...listOf('worlds', lines, page, show),
    most: shelf ? mostKept : mostWorlds,
    kept: { bytes: worlds.bytes(), bound: sharedBound },
  });
  const inMemory = () => [main(), ...worlds.list()].map(lineOf);
  return {
    async create(request) {
      const { world, controlToken } = await worlds.create({
        name: request.name,
        expiresInMs: readExpiry(request.expires_in),
        hasOwnToken: request.control_token,
        settings: await readRequest(request),
      });
      return { ...show(lineOf(world)), ...showAccess(world.mock, controlToken) };
    },
    list: () => showPage(inMemory(), { limit: Number.POSITIVE_INFINITY }),
    async listAll(page) {
      if (!shelf) return showPage(inMemory(), page);
      const { limit = pageSize, cursor, order } = page;
      // One more than are shown tells whether there is a next page.
      const named = await shelf.list({ cursor, limit: limit + 1, isNewestFirst: order === 'newest' });
      return { ...showPage([lineOf(main()), ...named], page), total: await shelf.count() };
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
