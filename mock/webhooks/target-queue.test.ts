import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTargetQueue } from './target-queue.ts';

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
