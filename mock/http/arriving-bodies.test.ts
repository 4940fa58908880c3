import { expect, test } from 'vitest';
import type { ApiError } from './api-errors.ts';
import { arrivingBound, openArriving } from './arriving-bodies.ts';

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
