// A store for the tests of the mock: each of them can be run on a world that is kept, by SITEPUB_TEST_STORE=file.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished } from 'vitest';
import type { MockOptions } from '../server/mock-options.ts';
import type { Engine } from '../store/engine.ts';
import { mapKinds } from '../store/kinds.ts';
import { openSqlite } from '../store/sqlite.ts';
import { createStore, type Store } from '../store/store.ts';
import { toWorld, writeHead } from '../store/world-rows.ts';
import type { World } from '../world/world.ts';

export const keepsWorlds = process.env.SITEPUB_TEST_STORE === 'file';

const longestMs = 5000;

/** Keeps a world in a file until the test ends. After each turn, what is kept must be what is in memory. */
export function openTestStore(worldNow: () => World): Required<Pick<MockOptions, 'store'>> {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-test-store-'));
  const forgotten: { kept: unknown; inMemory: unknown }[] = [];
  let store: Store | undefined;
  let checkedMs = 0;
  let turns = 0;
  onEnd(async () => {
    checkedMs = 0;
    await store?.close();
    rmSync(folder, { recursive: true });
    for (const { kept, inMemory } of forgotten) expect(kept).toEqual(inMemory);
  });

  function checking(engine: Engine): Engine {
    return {
      ...engine,
      async turn(work) {
        let isIdle = false;
        const written = engine.turn((seen) => {
          const keeping = work(seen);
          isIdle = keeping.batches.length === 0;
          return keeping;
        });
        // A world of thousands is compared now and then, and at the end.
        if (isIdle || (checkedMs > longestMs && ++turns % 100 > 0)) return written;
        const startedAt = performance.now();
        const rows = engine.load();
        // Nothing is awaited before this: the world is still as the turn has left it.
        const inMemory = viewOf(worldNow());
        await written;
        const kept = viewOf(toWorld(await rows));
        if (!isSame(kept, inMemory)) forgotten.push({ kept, inMemory });
        checkedMs += performance.now() - startedAt;
      },
    };
  }

  return {
    store: {
      found: undefined,
      keep(world, log) {
        const engine = checking(openSqlite(join(folder, 'mock.db')));
        store = createStore({ engine, world, found: undefined, log });
        return store;
      },
    },
  };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** All that a world has, in its order. The order of sessions is that of their use, and is kept now and then only. */
function viewOf(world: World): unknown {
  const maps = mapKinds.map(({ name }) => {
    const entries: [unknown, unknown][] = [...(world[name] as Map<unknown, unknown>)];
    if (name === 'sessions') entries.sort(([one], [other]) => String(one).localeCompare(String(other)));
    return [name, entries];
  });
  const { jobs, overrides } = world;
  return JSON.parse(JSON.stringify({ head: writeHead(world, 0), maps, jobs, overrides }));
}

/** Some mocks serve all tests of a file. */
function onEnd(work: () => Promise<void>): void {
  try {
    onTestFinished(work);
  } catch {
    afterAll(work);
  }
}
