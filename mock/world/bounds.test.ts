import { expect, test } from 'vitest';
import { keepNewest } from './bounds.ts';

function filled(count: number): Map<number, number> {
  return new Map(Array.from({ length: count }, (_, index) => [index, index]));
}

test.each([
  [110, 110, 0],
  [111, 100, 11],
])('of %i entries with a bound of 100, %i are kept, from number %i on', (count, size, first) => {
  const entries = filled(count);
  keepNewest(entries, 100);
  expect([entries.size, entries.keys().next().value]).toEqual([size, first]);
});

test('needed entries stay longer, but not without limit', () => {
  const entries = filled(150);
  keepNewest(entries, 100, (entry) => entry < 20);
  expect([entries.size, entries.has(0), entries.has(20)]).toEqual([100, true, false]);
  const all = filled(850);
  keepNewest(all, 100, () => true);
  expect(all.size).toBe(800);
});

test('entries that are still needed are looked through now and then, not at each addition', () => {
  const entries = filled(200);
  let looks = 0;
  for (let index = 200; index < 300; index++) {
    entries.set(index, index);
    keepNewest(entries, 100, () => ++looks > 0);
  }
  expect(looks).toBeLessThan(12 * 300);
  for (let index = 300; index < 312; index++) entries.set(index, index);
  keepNewest(entries, 100);
  expect(entries.size).toBe(100);
});
