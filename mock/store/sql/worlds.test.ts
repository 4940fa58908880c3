import { expect, onTestFinished, test } from 'vitest';
import { pathOfTest } from '../../testing/test-store.ts';
import { StoreError } from '../engine.ts';
import { openSqlite } from '../sqlite/open-sqlite.ts';
import type { Database, Query } from './database.ts';
import { sqlWorlds } from './worlds.ts';

/** Worlds that are due since 1970, in a file. */
async function open(count: number) {
  const engine = openSqlite(pathOfTest());
  onTestFinished(engine.close);
  for (let index = 1; index <= count; index++) {
    const plan = { name: `w${index}`, setup: '{}', summary: '', expiresInMs: undefined };
    const { id: worldId = 0 } = (await engine.worlds.add(plan)) ?? {};
    const batch = { isWhole: true, head: '{}', rows: [] };
    await engine.turn([{ worldId, work: () => ({ batch, nextDue: index }) }]);
  }
  return engine.worlds;
}

test('worlds that are due and never loaded do not keep others from being found', async () => {
  const worlds = await open(25);
  expect(await worlds.due([])).toHaveLength(25);
  const looks: string[][] = [];
  for (let look = 0; look < 4; look++) looks.push(await worlds.due([]));
  expect(looks.map(({ length }) => length)).toEqual([10, 10, 5, 10]);
  expect(new Set(looks.slice(0, 3).flat()).size).toBe(25);
  expect(looks[3]).toEqual(looks[0]);
});

test('a first look that failed is taken again', async () => {
  const asked: string[] = [];
  const query = (async (text: string) => {
    asked.push(text);
    return [];
  }) as Query;
  let fails = true;
  const dialect = { ms: String, fromNow: String, numbersIn: String, partsOfWorlds: [], isShared: false };
  const use: Database['use'] = async (_what, work) => {
    if (fails) return work(() => Promise.reject(new StoreError('gone')));
    return work(query);
  };
  const worlds = sqlWorlds({ place: '', dialect: dialect as never, use });
  await expect(worlds.due([])).rejects.toThrow('gone');
  fails = false;
  await worlds.due([]);
  await worlds.due([]);
  expect(asked.map((text) => text.includes('next_due <'))).toEqual([false, true]);
});
