// How worlds by name come to be: with a store of their own, gone on with from there, or in memory.
import { demoSeed } from '../world/demo-world.ts';
import type { Builder, ServedMock, WorldPlace, WorldSettings } from '../worlds/named-worlds.ts';
import type { Shelf } from '../worlds/shelf.ts';
import { addressesIn } from '../worlds/world-keeper.ts';
import { prefixOf } from '../worlds/world-names.ts';
import { assembleMock } from './assemble-mock.ts';
import { goOnWith } from './create-core.ts';
import type { Beginning, MockOptions, WorldData } from './mock-options.ts';
import { type Place, speak } from './place.ts';
import { readBeginning } from './read-beginning.ts';

/** What all worlds have of the root. */
interface Root extends Pick<Place, 'spoken' | 'tokenDigests' | 'addresses' | 'streams'> {
  shelf: Shelf | undefined;
}

export function worldBuilder(options: MockOptions, { shelf, ...root }: Root): Builder {
  async function build(
    own: MockOptions,
    { name, tokenDigest, end, onGone }: WorldPlace,
  ): Promise<ServedMock> {
    const mock = assembleMock(own, {
      spoken: own.profile === options.profile ? root.spoken : speak(own.profile),
      prefix: prefixOf(name),
      addresses: () => addressesIn(name, root.addresses()),
      tokenDigests: tokenDigest === undefined ? root.tokenDigests : [...root.tokenDigests, tokenDigest],
      streams: root.streams,
      // The call that asks for it is answered first.
      stop: () => void setImmediate(end),
      keeper: undefined,
    });
    for (const app of new Set([mock.app, mock.controlApp])) await app.ready();
    if (!mock.store) return mock;
    mock.store.onEnd(onGone);
    await mock.turn(() => goOnWith(mock, own.store));
    // It may have something to do.
    mock.scheduler.wake();
    return mock;
  }

  async function beginInMemory(own: MockOptions, { expiresInMs, ...place }: WorldPlace) {
    const createdAt = Date.now();
    const expiresAt = expiresInMs === undefined ? undefined : createdAt + expiresInMs;
    return { mock: await build(own, place), createdAt, expiresAt, endsAt: expiresAt };
  }

  async function beginStored(keeper: Shelf, own: MockOptions, place: WorldPlace) {
    const { profile, seed, clock, data = demoSeed, variations = [] } = own;
    const kept = await keeper.add({ ...place, settings: { profile, seed, clock, data, variations } });
    const { createdAt, expiresAt, endsAt } = kept;
    try {
      const mock = await build({ ...own, store: await keeper.open(kept) }, place);
      return { mock, createdAt, expiresAt, endsAt };
    } catch (error) {
      await keeper.remove(place.name);
      throw error;
    }
  }

  return {
    shelf,
    begin(settings, place) {
      const own = optionsOf(options, settings);
      return shelf ? beginStored(shelf, own, place) : beginInMemory(own, place);
    },
    async goOn(kept, place) {
      if (!shelf) throw new Error('there is no store');
      const { data, ...settings } = kept.settings;
      const beginning = await readBeginning({ world: data as WorldData, ...settings });
      return build({ ...options, ...settings, ...beginning, store: await shelf.open(kept) }, place);
    },
  };
}

/** The options of a world: what is left out is as the mock was started, but for its store, which is its own. */
function optionsOf(options: MockOptions, settings: WorldSettings): MockOptions {
  const { store: _store, storedWorlds: _storedWorlds, ...unkept } = options;
  const { world: _world, createWorld: _createWorld, data: _data, ...others } = unkept;
  return { ...(hasBeginning(settings) ? others : unkept), ...settings };
}

function hasBeginning({ world, createWorld }: Beginning): boolean {
  return world !== undefined || createWorld !== undefined;
}
