import { expect, test } from 'vitest';
import { pageOf } from './page-of.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const self = (one: number) => one;

test('a list of a hundred is one page, and of more several', () => {
  expect(pageOf(numbers(100), {}, self)).toEqual({ shown: numbers(100), total: 100, more: {} });
  expect(pageOf(numbers(101), {}, self)).toEqual({ shown: numbers(100), total: 101, more: { next: 100 } });
  expect(pageOf(numbers(101), { cursor: 100 }, self)).toEqual({ shown: [101], total: 101, more: {} });
});

test('the newest come first on request, page by page', () => {
  expect(pageOf(numbers(5), { order: 'newest', limit: 2 }, self)).toEqual({
    shown: [5, 4],
    total: 5,
    more: { next: 4 },
  });
  expect(pageOf(numbers(5), { order: 'newest', limit: 3, cursor: 4 }, self)).toEqual({
    shown: [3, 2, 1],
    total: 5,
    more: {},
  });
});

test('what is added and dropped between two pages shifts nothing', () => {
  const { more } = pageOf(numbers(5), { limit: 3 }, self);
  expect(pageOf([4, 5, 6], { limit: 3, cursor: more.next ?? 0 }, self).shown).toEqual([4, 5, 6]);
});

test('entries in another order, as after the reset of a tenant, are put in theirs', () => {
  expect(pageOf([3, 1, 2], { limit: 2 }, self)).toEqual({ shown: [1, 2], total: 3, more: { next: 2 } });
});

test('an empty list has no next page', () => {
  expect(pageOf([], { limit: 1 }, self)).toEqual({ shown: [], total: 0, more: {} });
});
