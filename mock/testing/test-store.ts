// TEST_STORE runs the tests of the mock with a store: "file", or the URL of a PostgreSQL server.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished } from 'vitest';
import { createMetrics } from '../metrics/metrics.ts';
import type { MockOptions } from '../server/mock-options.ts';
import type { Engine, Member, TurnChanges } from '../store/engine.ts';
import { openPostgres } from '../store/postgres/open-postgres.ts';
import { toWorld } from '../store/rows.ts';
import { openSqlite } from '../store/sqlite/open-sqlite.ts';
import { createStore, type Store } from '../store/store.ts';
import { createTurnLoop, type TurnLoop } from '../store/turn-loop.ts';
import { collectionNames } from '../world/collections.ts';
import type { World } from '../world/world.ts';
import { makeSchema } from './postgres-server.ts';
import { makeFolder } from './started-mock.ts';

const { TEST_STORE: chosen = '' } = process.env;

export const usesStore = chosen !== '';

const longestMs = 5000;
const mainId = 1;

/** Stores a world until the test ends. After each turn, the stored world must equal the world in memory. */
export function openTestStore(worldNow: () => World): Required<Pick<MockOptions, 'store'>> {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-test-store-'));
  const differences: { stored: unknown; inMemory: unknown }[] = [];
  let store: Store | undefined;
  let opened: Engine | undefined;
  let loop: TurnLoop | undefined;
  let checkedMs = 0;
  let turns = 0;
  onEnd(async () => {
    checkedMs = 0;
    await store?.close();
    loop?.close();
    await loop?.idle();
    await opened?.close();
    rmSync(folder, { recursive: true });
    for (const { stored, inMemory } of differences) expect(stored).toEqual(inMemory);
  });

  function checking(engine: Engine): Engine {
    let isCompared = false;
    let inMemory: unknown;
    const watched = watchEngine(engine, ({ batch }) => {
      if (isCompared && batch) inMemory = viewOf(worldNow());
    });
    return {
      ...engine,
      async turn(members) {
        inMemory = undefined;
        const startedAt = performance.now();
        // The comparison of a large world is slow, so after five seconds only each hundredth turn is compared.
        isCompared = checkedMs < longestMs || ++turns % 100 === 0;
        const gone = await watched.turn(members);
        if (inMemory === undefined) return gone;
        const rows = await engine.load(mainId);
        const stored = rows && viewOf(toWorld(rows));
        if (JSON.stringify(stored) !== JSON.stringify(inMemory)) differences.push({ stored, inMemory });
        checkedMs += performance.now() - startedAt;
        return gone;
      },
    };
  }

  return {
    store: {
      world: undefined,
      persist(world, log) {
        opened =
          chosen === 'file'
            ? openSqlite(join(folder, 'mock.db'))
            : openLater(makeSchema({ url: chosen }).then(openPostgres));
        ({ store, loop } = persistWith(checking(opened), world, log));
        return store;
      },
    },
  };
}

/** Calls `watch` with the changes of each member before they are written. Nothing is written if it throws. */
export function watchEngine(engine: Engine, watch: (changes: TurnChanges) => void): Engine {
  const watched = (member: Member): Member => ({
    ...member,
    work(seen) {
      const changes = member.work(seen);
      watch(changes);
      return changes;
    },
  });
  return { ...engine, turn: (members) => engine.turn(members.map(watched)) };
}

/** Stores a new world with this engine only. */
export function persistWith(engine: Engine, world: World, log: (line: string) => void) {
  const loop = createTurnLoop({ engine, log, metrics: createMetrics() });
  return { loop, store: createStore({ engine, loop, worldId: mainId, world, found: undefined, log }) };
}

export function pathOfTest(): string {
  return join(makeFolder(), 'mock.db');
}

/** A world without the order of its sessions, which changes with each use and is not stored each time. */
export function viewOf(world: World): unknown {
  const maps = collectionNames.map((name) => {
    const entries: [unknown, unknown][] = [...(world[name] as Map<unknown, unknown>)];
    if (name === 'sessions') entries.sort(([one], [other]) => String(one).localeCompare(String(other)));
    return [name, entries];
  });
  const { random, clock, counters, faults } = world;
  const head = { random, clock, counters, faults };
  return JSON.parse(JSON.stringify({ head, maps }));
}

/** A mock for all tests of a file is opened outside of a test. */
function onEnd(work: () => Promise<void>): void {
  try {
    onTestFinished(work);
  } catch {
    afterAll(work);
  }
}

function openLater(opening: Promise<Engine>): Engine {
  let opened: Engine | undefined;
  return {
    name: 'PostgreSQL',
    place: chosen,
    // The tests with this store use only the world main.
    worlds: {} as Engine['worlds'],
    load: async (worldId) => (await opening).load(worldId),
    async turn(members) {
      opened = await opening;
      return opened.turn(members);
    },
    shared: {
      id: 'test',
      findNews: async (worldIds) => (await (await opening).shared?.findNews(worldIds)) ?? [],
      counts: () => opened?.shared?.counts() ?? { replicas: 1, worlds: 1 },
      forget: (worldId) => opened?.shared?.forget(worldId),
    },
    check: async () => (await opening).check(),
    close: async () => (await opening).close(),
  };
}
