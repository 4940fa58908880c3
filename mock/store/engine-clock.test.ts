import { expect, test } from 'vitest';
import { measureAhead } from './engine-clock.ts';

test('the clock of the same machine is the same, however late an answer is read', () => {
  const ahead = measureAhead();
  expect([-3, -200, -1, -500, -40, 2].map(ahead)).toEqual([0, 0, 0, 0, 0, 0]);
});

test('what was measured first late is corrected by the next answer', () => {
  const ahead = measureAhead();
  expect([4800, 5000, 4999].map(ahead)).toEqual([4800, 5000, 5000]);
  expect([-200, -1].map(measureAhead())).toEqual([-200, 0]);
});

test('a clock that was set is followed: ahead at once, and back when all answers say so', () => {
  const ahead = measureAhead();
  expect([0, 60_000].map(ahead)).toEqual([0, 60_000]);
  const after = Array.from({ length: 8 }, () => ahead(10));
  expect(after).toEqual([...Array.from({ length: 7 }, () => 60_000), 0]);
});
