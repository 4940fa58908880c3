// A handful of the mistakes of mistakes.slow.test.ts.
import { afterAll, expect, test } from 'vitest';
import { mistakes } from './testing/mistakes.ts';
import { openScene, verdictsIn } from './testing/try-mistake.ts';

const scene = await openScene();

afterAll(scene.close);

const few = mistakes.filter(({ isQuick }) => isQuick);

test.concurrent.for(few.map((mistake) => [mistake.name, mistake] as const))('%s', async ([, mistake]) => {
  const { status, lines, report, created } = await scene.make(mistake);
  expect({ status, last: lines.at(-1) }).toEqual({
    status: mistake.status,
    last: expect.stringMatching(mistake.says),
  });
  expect(lines.length).toBeLessThanOrEqual(6);
  expect(verdictsIn(report)).toEqual([]);
  expect(created).toBe(mistake.creates ?? 0);
});
