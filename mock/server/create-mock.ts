// Creates a mock: main, and what makes the worlds by name.
import { createStreamBudget } from '../control/stream-budget.ts';
import { digest } from '../world/digests.ts';
import type { WorldSeed } from '../world/world-seed.ts';
import { createGate } from '../worlds/gate.ts';
import { createNamedWorlds, type NamedWorlds } from '../worlds/named-worlds.ts';
import { createShelf } from '../worlds/shelf.ts';
import { createKeeper } from '../worlds/world-keeper.ts';
import { type AssembledMock, assembleMock } from './assemble-mock.ts';
import { worldBuilder } from './build-world.ts';
import { addressesOf } from './listen.ts';
import type { MockOptions } from './mock-options.ts';
import { speak } from './place.ts';
import { readBeginning } from './read-beginning.ts';

export interface RootMock extends AssembledMock {
  /** Those besides main. */
  worlds: NamedWorlds;
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
    gates: {
      service: createGate(worlds, 'app', () => main),
      control: createGate(worlds, 'controlApp', () => main),
    },
  });
  return Object.assign(main, { worlds });
}
