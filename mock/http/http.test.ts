import { expect, test } from 'vitest';
import { type ApiError, rateLimited } from './api-errors.ts';
import { arrivingBound, measureJson, openArriving } from './read-body.ts';
import { createHttpDate } from './render-envelope.ts';

test.each([
  [10_000, 10_000, 1],
  [10_001, 10_000, 1],
  [11_000, 10_000, 1],
  [11_001, 10_000, 2],
])('a limit that is free at %i, reached at %i, is to be retried after %i s', (until, now, seconds) => {
  expect(rateLimited('x', until, now).extra.retryAfter).toBe(seconds);
});

function openBodies(count: number) {
  const givenUp: string[] = [];
  const bodies = Array.from({ length: count }, (_, index) =>
    openArriving(({ kind }: ApiError) => givenUp.push(`${index}: ${kind}`)),
  );
  return { bodies, givenUp };
}

test('unfinished bodies are given up, the oldest first, once all together hold more than the bound', () => {
  const { bodies, givenUp } = openBodies(3);
  for (const body of bodies) body.grow(arrivingBound / 3);
  expect(givenUp).toEqual([]);
  bodies[2]?.grow(1);
  expect(givenUp).toEqual(['0: request-timeout']);
  bodies[0]?.grow(arrivingBound);
  bodies[1]?.grow(arrivingBound / 3 - 1);
  expect(givenUp).toEqual(['0: request-timeout']);
  for (const body of bodies) body.end();
});

test('finished ones count no more', () => {
  const { bodies, givenUp } = openBodies(2);
  bodies[0]?.grow(arrivingBound);
  bodies[0]?.end();
  bodies[0]?.end();
  bodies[1]?.grow(arrivingBound);
  expect(givenUp).toEqual([]);
  bodies[1]?.end();
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
