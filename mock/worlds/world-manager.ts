import type { Schemas } from '../../openapi/generated/control-types.ts';
import type { Addresses, WorldManager } from '../control/controlled-mock.ts';
import { listOf, type PageRequest, pageSize, show, showClock } from '../control/show.ts';
import { mostWorlds, type NamedWorld, type NamedWorlds } from './named-worlds.ts';
import { sharedBound } from './shared-bytes.ts';
import { mostStored, type Shelf, type WorldLine } from './shelf.ts';
import { prefixOf } from './world-names.ts';
import type { WorldSettings } from './world-settings.ts';

export function addressesIn(name: string, { baseUrl, controlUrl }: Addresses): Addresses {
  const within = (url: string) => url.replace(/(\/api\/v1|\/_mock)$/, `${prefixOf(name)}$1`);
  return { baseUrl: within(baseUrl), controlUrl: within(controlUrl) };
}

interface ManagerParts {
  main(): Listed;
  /** Throws a ControlError if the request is invalid. */
  readRequest(request: Schemas['WorldRequest']): Promise<WorldSettings>;
  shelf: Shelf | undefined;
}

export function createWorldManager(
  worlds: NamedWorlds,
  { main, readRequest, shelf }: ManagerParts,
): WorldManager {
  const showLine = ({ name, profile, seed, clock, hasToken, ...line }: WorldLine): Schemas['NamedWorld'] => {
    const { mock, tokenDigest } = main();
    return show({
      name,
      ...addressesIn(name, mock.addresses()),
      profile,
      seed,
      clock: showClock({ clock: clock ?? { mode: 'real', offset: 0 } }),
      hasControlToken: tokenDigest !== undefined || hasToken,
      createdAt: line.createdAt,
      expiresAt: line.expiresAt,
    });
  };
  const showPage = (lines: readonly WorldLine[], page: PageRequest) => ({
    ...listOf('worlds', lines, page, showLine),
    most: shelf ? mostStored : mostWorlds,
    kept: { bytes: worlds.bytes(), bound: sharedBound },
  });
  const inMemory = () => [main(), ...worlds.list()].map(lineOf);
  return {
    async create(request) {
      const { world, controlToken } = await worlds.create({
        name: request.name,
        expiresIn: request.expires_in,
        hasOwnToken: request.control_token,
        settings: await readRequest(request),
      });
      const tenants = world.mock.tenants.map(({ id, name, users, apiKey, sites }) =>
        show({ id, name, users, apiKey, siteIds: sites.map((site) => site.id) }),
      );
      return { ...showLine(lineOf(world)), ...show({ controlToken, tenants }) };
    },
    list: () => showPage(inMemory(), { limit: Number.POSITIVE_INFINITY }),
    async listAll(page) {
      if (!shelf) return showPage(inMemory(), page);
      const { limit = pageSize, cursor, order } = page;
      // One extra row shows whether there is a next page.
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
