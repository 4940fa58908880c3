import { check, property, sample } from 'fast-check';
import { expect, test } from 'vitest';
import { chosen, chosenDescending } from './subsets.ts';

const items = ['a', 'b', 'c', 'd', 'e'];

test('as many different items are chosen as are asked for, in orders of all kinds', () => {
  for (const size of [1, 3, 5]) {
    const lists = sample(chosen(items, size), { numRuns: 200, seed: 1 });
    expect(lists.every((list) => list.length === size && new Set(list).size === size)).toBe(true);
    expect(new Set(lists.map((list) => list.join(''))).size).toBeGreaterThan(size === 1 ? 4 : 50);
  }
});

test.for([
  ['a list that holds d', (list: string[]) => !list.includes('d'), ['d']],
  ['a list of three', (list: string[]) => list.length < 3, 3],
  [
    'c before a',
    (list: string[]) => list.indexOf('a') <= list.indexOf('c') || !list.includes('c'),
    ['c', 'a'],
  ],
  ['any list', () => false, 1],
] as const)('%s is shrunk to the smallest', ([, holds, want]) => {
  const { counterexample } = check(
    property(chosen(items, 5), (list) => holds(list)),
    { seed: 3 },
  );
  const [list = []] = counterexample ?? [];
  if (typeof want === 'number') expect(list).toHaveLength(want);
  else expect(list).toEqual(want);
  expect(typeof want === 'number' ? list.toSorted() : want).toEqual(list);
});

test('a descending choice is the reverse of the order of the list', () => {
  expect(sample(chosenDescending(items, 5), 1)).toEqual([['e', 'd', 'c', 'b', 'a']]);
});
