import { expect, test } from 'vitest';
import { bytesOf, measureOnce } from './bytes.ts';

test.each([
  ['one byte a character', 'x'.repeat(1_000_000), 1_000_024],
  ['two, where one character needs them', `${'x'.repeat(999_999)}漢`, 2_000_024],
  ['nothing', undefined, 8],
  ['a number', 7, 8],
  ['a fraction', 1.5, 24],
  ['an empty object', {}, 264],
  ['members', { ab: 1 }, 264 + 18 + 8],
  ['items', [1, 2, 3], 56 + 3 * 8],
])('%s', (_case, value, want) => {
  expect(bytesOf(value)).toBe(want);
});

test('a value may be as deep as it likes', () => {
  expect(bytesOf(JSON.parse('['.repeat(500_000) + ']'.repeat(500_000)))).toBe(500_000 * 56);
});

test('what was measured once counts the same', () => {
  const value = { a: [1, 'x', { b: {} }] };
  const before = bytesOf([value, value]);
  measureOnce(value);
  expect(bytesOf([value, value])).toBe(before);
});

test('objects that have names of their own take no more than is counted', () => {
  const text = `[${Array.from({ length: 60_000 }, (_, index) => `{"name ${index}":1}`)}]`;
  const before = process.memoryUsage().heapUsed;
  const value: unknown = JSON.parse(text);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(bytesOf(value));
});

test('a long text of an object is measured again once it is another', () => {
  const value = { text: 'x'.repeat(100_000), other: 'y'.repeat(100_000) };
  const members = 264 + 20 + 21;
  expect(bytesOf(value)).toBe(members + 200_048);
  value.text = 'x'.repeat(200_000);
  expect(bytesOf(value)).toBe(members + 300_048);
});
