import { expect, test } from 'vitest';
import { createHttpDate } from './http-date.ts';

test('formats a time for HTTP, also when the clock is moved', () => {
  const httpDate = createHttpDate();
  const start = Date.parse('2026-01-02T03:04:05.999Z');
  expect([start, start + 1, start + 3_600_000, start].map(httpDate)).toEqual([
    'Fri, 02 Jan 2026 03:04:05 GMT',
    'Fri, 02 Jan 2026 03:04:06 GMT',
    'Fri, 02 Jan 2026 04:04:05 GMT',
    'Fri, 02 Jan 2026 03:04:05 GMT',
  ]);
});
