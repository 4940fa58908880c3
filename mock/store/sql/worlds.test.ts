import { expect, onTestFinished, test } from 'vitest';
import { pathOfTest } from '../../testing/test-store.ts';
import { openSqlite } from '../sqlite/open-sqlite.ts';

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

test('worlds that are due and never loaded do not keep others from being found, nor does a look that failed', async () => {
  const worlds = await open(25);
  await expect(worlds.due([Number.NaN])).rejects.toThrow(/can't be read/);
  expect(await worlds.due([])).toHaveLength(25);
  const looks: string[][] = [];
  for (let look = 0; look < 4; look++) looks.push(await worlds.due([]));
  expect(looks.map(({ length }) => length)).toEqual([10, 10, 5, 10]);
  expect(new Set(looks.slice(0, 3).flat()).size).toBe(25);
  expect(looks[3]).toEqual(looks[0]);
});
