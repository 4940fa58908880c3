import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createByteBudget } from './byte-budget.ts';

function open() {
  const budget = createByteBudget(100_000);
  const started: string[] = [];
  const take = async (name: string, bytes: number) => {
    await budget.acquire(bytes);
    started.push(name);
  };
  return { started, take, release: budget.release };
}

test('what is over the budget waits, in order; what is small never does', async () => {
  const { started, take, release } = open();
  void Promise.all([take('a', 60_000), take('b', 60_000), take('c', 20_000), take('d', 1_000)]);
  await nextTurn();
  expect(started).toEqual(['a', 'd']);
  release(60_000);
  await nextTurn();
  expect(started).toEqual(['a', 'd', 'b', 'c']);
});

test('what is larger than the budget is sent alone', async () => {
  const { started, take, release } = open();
  void Promise.all([take('a', 500_000), take('b', 500_000)]);
  await nextTurn();
  expect(started).toEqual(['a']);
  release(500_000);
  await nextTurn();
  expect(started).toEqual(['a', 'b']);
});
