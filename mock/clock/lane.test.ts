import { expect, test } from 'vitest';
import { Lane } from './lane.ts';

function open(lane: Lane) {
  const started: string[] = [];
  const enter = (name: string, weight: number, key = '') =>
    lane.enter(key, weight, () => void started.push(name));
  return { started, enter, leave: (weight: number, key = '') => lane.leave(key, weight) };
}

test('what is over the limit waits, in order; what is light never does', () => {
  const { started, enter, leave } = open(new Lane({ most: 100_000, light: 16_384 }));
  enter('a', 60_000);
  enter('b', 60_000);
  enter('c', 20_000);
  enter('d', 1_000);
  expect(started).toEqual(['a', 'd']);
  leave(60_000);
  expect(started).toEqual(['a', 'd', 'b', 'c']);
});

test('what is heavier than the limit is let in alone', () => {
  const { started, enter, leave } = open(new Lane({ most: 100_000 }));
  enter('a', 500_000);
  enter('b', 500_000);
  expect(started).toEqual(['a']);
  leave(500_000);
  expect(started).toEqual(['a', 'b']);
});

test('each key has places of its own, and what waits for one starts in order', () => {
  const { started, enter, leave } = open(new Lane({ most: 2 }));
  for (const name of ['a1', 'a2', 'a3', 'a4']) enter(name, 1, 'a');
  for (const name of ['b1', 'b2', 'b3']) enter(name, 1, 'b');
  expect(started).toEqual(['a1', 'a2', 'b1', 'b2']);
  leave(1, 'a');
  leave(1, 'a');
  expect(started).toEqual(['a1', 'a2', 'b1', 'b2', 'a3', 'a4']);
});

test('many may leave as soon as they start', () => {
  const lane = new Lane({ most: 1 });
  let started = 0;
  lane.enter('a', 1, () => {});
  for (let count = 0; count < 100_000; count++)
    lane.enter('a', 1, () => {
      started++;
      lane.leave('a', 1);
    });
  lane.leave('a', 1);
  expect(started).toBe(100_000);
});
