// A store for the tests of the mock: each of them can be run on a world that is kept, by TEST_STORE: "file", or the URL of a PostgreSQL server.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished } from 'vitest';
import { createMetrics } from '../metrics/metrics.ts';
import type { MockOptions } from '../server/mock-options.ts';
import type { Engine, Seen } from '../store/engine.ts';
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
/** Of the world main in a new store. */
const mainId = 1;

/** Keeps a world in a file until the test ends. After each turn, what is kept must be what is in memory. */
export function openTestStore(worldNow: () => World): Required<Pick<MockOptions, 'store'>> {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-test-store-'));
  const forgotten: { kept: unknown; inMemory: unknown }[] = [];
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
    for (const { kept, inMemory } of forgotten) expect(kept).toEqual(inMemory);
  });

  function checking(engine: Engine): Engine {
    return {
      ...engine,
      async turn(members) {
        let inMemory: unknown;
        const startedAt = performance.now();
        // A world of thousands is compared now and then, and at the end.
        const isLooked = checkedMs < longestMs || ++turns % 100 === 0;
        const watched = members.map((member) => ({
          ...member,
          work(seen: Seen) {
            const changes = member.work(seen);
            if (isLooked && changes.batch) inMemory = viewOf(worldNow());
            return changes;
          },
        }));
        const gone = await engine.turn(watched);
        if (inMemory === undefined) return gone;
        const rows = await engine.load(mainId);
        const kept = rows && viewOf(toWorld(rows));
        if (JSON.stringify(kept) !== JSON.stringify(inMemory)) forgotten.push({ kept, inMemory });
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
        const engine = checking(opened);
        loop = createTurnLoop({ engine, log, metrics: createMetrics() });
        store = createStore({ engine, loop, worldId: mainId, world, found: undefined, log });
        return store;
      },
    },
  };
}

/** Where a store in a file may be made. It is gone when the test ends. */
export function pathOfTest(): string {
  return join(makeFolder(), 'mock.db');
}

/** All that a world has, in its order. The order of sessions is that of their use, and is kept now and then only. */
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

/** Some mocks serve all tests of a file. */
function onEnd(work: () => Promise<void>): void {
  try {
    onTestFinished(work);
  } catch {
    afterAll(work);
  }
}

/** A database that is being opened. */
function openLater(opening: Promise<Engine>): Engine {
  let opened: Engine | undefined;
  return {
    name: 'PostgreSQL',
    place: chosen,
    // Nobody asks for them: main is alone in its database.
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
