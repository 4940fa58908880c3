import { expect, test } from 'vitest';
import { type ApiError, rateLimited } from './api-errors.ts';
import { arrivingBound, countArriving, forgetArriving, measureJson } from './read-body.ts';
import { createHttpDate } from './render-envelope.ts';

test.each([
  [10_000, 10_000, 1],
  [10_001, 10_000, 1],
  [11_000, 10_000, 1],
  [11_001, 10_000, 2],
])('a limit that is free at %i, reached at %i, is to be retried after %i s', (until, now, seconds) => {
  expect(rateLimited('x', until, now).extra.retryAfter).toBe(seconds);
});

test('unfinished bodies are given up, the oldest first, once all together hold more than the bound', () => {
  const givenUp: string[] = [];
  const bodyOf = (name: string) => (problem: ApiError) => void givenUp.push(`${name}: ${problem.kind}`);
  const [first, second, third] = [bodyOf('first'), bodyOf('second'), bodyOf('third')] as const;
  for (const body of [first, second, third]) countArriving(body, arrivingBound / 3);
  expect(givenUp).toEqual([]);
  countArriving(third, 1);
  expect(givenUp).toEqual(['first: request-timeout']);
  countArriving(second, arrivingBound / 3 - 1);
  expect(givenUp).toEqual(['first: request-timeout']);
  // Finished ones count no more.
  for (const body of [first, second, second]) forgetArriving(body);
  countArriving(third, (arrivingBound / 3) * 2 - 1);
  expect(givenUp).toEqual(['first: request-timeout']);
  forgetArriving(third);
});

test.each([
  ['', 0, 0],
  ['"a, [b] {c}"', 0, 0],
  ['"\\"," ', 0, 0],
  ['"\\\\",1', 1, 0],
  ['[1,2,3]', 3, 1],
  ['{"a":1,"b":[]}', 3, 2],
  ['[{"a":1},{"b":2}]', 4, 2],
  ['"never closed, [', 0, 0],
])('%s', (text, values, levels) => {
  expect(measureJson(text)).toEqual({ values, levels });
});

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
