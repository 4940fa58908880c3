// Each mistake in the settings of a run ends it within seconds, in a few lines of which the last says what to do, and blames no deployment.
import { afterAll, expect, test } from 'vitest';
import { mistakes } from './testing/mistakes.ts';
import { openScene, verdictsIn } from './testing/try-mistake.ts';

const scene = await openScene();

afterAll(scene.close);

// On an idle machine each takes 1 to 4 s; other tests may run beside it.
const mostMs = 20_000;

test.for(mistakes.map((mistake) => [mistake.name, mistake] as const))('%s', async ([, mistake]) => {
  const { status, lines, ms, report, created } = await scene.make(mistake);
  expect({ status, last: lines.at(-1) }).toEqual({
    status: mistake.status,
    last: expect.stringMatching(mistake.says),
  });
  expect(lines.length).toBeLessThanOrEqual(6);
  expect(verdictsIn(report)).toEqual([]);
  expect(created).toBe(mistake.creates ?? 0);
  expect(ms).toBeLessThan(mostMs);
});
