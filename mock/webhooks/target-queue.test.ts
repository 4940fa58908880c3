import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTargetQueue } from './target-queue.ts';

test('lets so many through for each target, and the others in order', async () => {
  const turns = createTargetQueue(2);
  const through: string[] = [];
  const take = async (target: string, name: string) => {
    await turns.take(target);
    through.push(name);
  };
  void Promise.all([take('a', 'a1'), take('a', 'a2'), take('a', 'a3'), take('a', 'a4'), take('b', 'b1')]);
  await nextTurn();
  expect(through).toEqual(['a1', 'a2', 'b1']);
  turns.giveBack('a');
  await nextTurn();
  turns.giveBack('a');
  await nextTurn();
  expect(through).toEqual(['a1', 'a2', 'b1', 'a3', 'a4']);
});
