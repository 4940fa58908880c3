// Creates a mock: main, and what makes the worlds by name.
import { createStreamBudget } from '../control/stream/stream-budget.ts';
import type { Mock } from '../service.ts';
import { digest } from '../world/digests.ts';
import type { WorldSeed } from '../world/world-seed.ts';
import { createGate } from '../worlds/gate.ts';
import { createNamedWorlds, type NamedWorld, type NamedWorlds } from '../worlds/named-worlds.ts';
import { createShelf } from '../worlds/shelf.ts';
import { createKeeper, type WorldSettings } from '../worlds/world-keeper.ts';
import { type AssembledMock, assembleMock } from './assemble-mock.ts';
import { worldBuilder } from './build-world.ts';
import { addressesOf } from './listen.ts';
import type { MockOptions } from './mock-options.ts';
import { type Gates, speak } from './place.ts';
import { readBeginning } from './read-beginning.ts';

export interface RootMock extends AssembledMock {
  /** Those besides main. */
  worlds: NamedWorlds<WorldSettings>;
}

export function createMock(options: MockOptions): RootMock {
  const spoken = speak(options.profile);
  const tokenDigests = options.controlToken === undefined ? [] : [digest(options.controlToken)];
  const addresses = () => addressesOf(main.app, main.controlApp, options.publicUrl);
  const streams = createStreamBudget();
  const shelf = options.storedWorlds && createShelf(options.storedWorlds);
  const root = { spoken, tokenDigests, addresses, streams };
  const worlds = createNamedWorlds(worldBuilder(options, { ...root, shelf }));
  const createdAt = Date.now();
  const main: AssembledMock = assembleMock(options, {
    ...root,
    stop: options.onStop,
    keeper: createKeeper(worlds, {
      main: () => ({ mock: main, createdAt, hasControlToken: tokenDigests.length > 0 }),
      readWorld: (world, choice) => readBeginning({ world: world as WorldSeed, ...choice }),
      shelf,
    }),
    gates: createGates(worlds, () => main),
  });
  return Object.assign(main, { worlds });
}

function createGates(
  worlds: Pick<NamedWorlds<never>, 'find' | 'load' | 'explainMissing'>,
  mock: () => Mock,
): Gates {
  const gateTo = (side: 'app' | 'controlApp') =>
    createGate({
      find: (name) => answererOf(worlds.find(name), side),
      load: worlds.load,
      explainMissing: worlds.explainMissing,
      mock,
    });
  return { service: gateTo('app'), control: gateTo('controlApp') };
}

/** What answers on a side of a world, and knows what is under way there. */
function answererOf(
  world: NamedWorld | undefined,
  side: 'app' | 'controlApp',
): ReturnType<Parameters<typeof createGate>[0]['find']> {
  if (!world) return undefined;
  const { responses, mock } = world;
  const { [side]: app } = mock;
  return (request, response) => {
    responses.add(response);
    response.on('close', () => responses.delete(response));
    if (side !== 'app' || !mock.direct?.(request, response)) app.routing(request, response);
  };
}
