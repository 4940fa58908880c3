// The preflight hides no broken promise: a run with right settings goes on to the checks, whatever the deployment does wrong.
import { expect, test } from 'vitest';
import { faults } from '../../mock/faults/faults.ts';
import { runAgainstMock } from './run-against-mock.ts';

test('no fault of the mock ends a run before its checks', { timeout: 300_000 }, async () => {
  const ended: string[] = [];
  for (const { id } of faults) {
    const { aborted } = await runAgainstMock({
      faults: [id],
      options: { tier: 'smoke', only: ['VERSION-1'] },
    });
    if (aborted) ended.push(`${id}: ${aborted.reason}`);
  }
  expect(ended).toEqual([]);
});
