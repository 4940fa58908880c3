import { expect, test } from 'vitest';
import { formatTimestamp } from './format-timestamp.ts';

test.each([
  ['2026-01-01T19:04:05.678Z', 'Z', '2026-01-01T19:04:05Z'],
  ['2026-01-01T19:04:05.678Z', '+08:00', '2026-01-02T03:04:05+08:00'],
  ['2026-01-01T19:04:05.678Z', '-03:30', '2026-01-01T15:34:05-03:30'],
  ['2026-01-01T00:00:00.000Z', '-00:30', '2025-12-31T23:30:00-00:30'],
  ['2028-02-28T18:20:00.000Z', '+05:45', '2028-02-29T00:05:00+05:45'],
])('%s with the offset %s is %s', (given, offset, want) => {
  expect(formatTimestamp(Date.parse(given), offset)).toBe(want);
  expect(Date.parse(want)).toBe(Math.floor(Date.parse(given) / 1000) * 1000);
});
