// @module-tag ci
// At its end, a run waits for missing pushes and refused calls.
import { expect, test } from 'vitest';
import type { RootMock } from '../../mock/server/create-mock.ts';
import { requirementsThat, runAgainstMock } from './run-against-mock.ts';

test('ends soon after the missing pushes arrive, before the patience ends', async () => {
  const startedAt = performance.now();
  const report = await runAgainstMock({
    control: false,
    sabotage: ({ dispatcher }: RootMock) => {
      const { emit } = dispatcher;
      dispatcher.emit = (push) => emit({ ...push, at: push.at + 2_500 });
    },
    options: {
      tier: 'full',
      only: ['EVENT-9', 'EVENT-10'],
      arrivalMs: 300,
      patienceMs: 40_000,
    },
  });
  expect(requirementsThat('passed', report)).toEqual(expect.arrayContaining(['EVENT-9', 'EVENT-10']));
  expect(report.remarks.map(({ id }) => id)).toContain('late');
  expect(performance.now() - startedAt).toBeLessThan(35_000);
});

test('waits one minute in total, even for several kinds of refused calls', async () => {
  const startedAt = performance.now();
  const broken = ['AUTH-2', 'AUTH-3', 'HOOK-1'];
  const report = await runAgainstMock({
    control: false,
    faults: [
      'session-token-refused-on-test',
      'api-key-refused-on-create',
      'receiving-url-with-query-refused',
    ],
    options: { only: broken },
  });
  expect(requirementsThat('failed', report)).toEqual(broken);
  expect(performance.now() - startedAt).toBeLessThan(100_000);
});
