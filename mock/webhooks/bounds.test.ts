import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createByteBudget } from './byte-budget.ts';
import { createSharedBodies } from './shared-bodies.ts';
import { createTargetQueue } from './target-queue.ts';

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

test('limits the requests of each target, and starts the others in order', async () => {
  const queue = createTargetQueue(2);
  const started: string[] = [];
  const acquire = async (target: string, name: string) => {
    await queue.acquire(target);
    started.push(name);
  };
  void Promise.all([
    acquire('a', 'a1'),
    acquire('a', 'a2'),
    acquire('a', 'a3'),
    acquire('a', 'a4'),
    acquire('b', 'b1'),
  ]);
  await nextTurn();
  expect(started).toEqual(['a1', 'a2', 'b1']);
  queue.release('a');
  await nextTurn();
  queue.release('a');
  await nextTurn();
  expect(started).toEqual(['a1', 'a2', 'b1', 'a3', 'a4']);
});

test('a long text has its bytes once while anybody sends it', () => {
  const { take, release } = createSharedBodies();
  const text = '漢'.repeat(20_000);
  const first = take(text);
  expect(take(text)).toBe(first);
  expect(first.toString()).toBe(text);
  release(text);
  expect(take(text)).toBe(first);
  release(text);
  release(text);
  expect(take(text)).not.toBe(first);
});
