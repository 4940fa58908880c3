// @module-tag nightly
import { expect, onTestFinished, test } from 'vitest';
import { startMock } from '../../start.ts';
import { openDatabase } from '../../testing/replicas.ts';

test('a mock that takes one turn after the other is not taken for gone', async () => {
  const { url: store } = await openDatabase();
  const mocks = [await startMock({ store }), await startMock({ store })] as const;
  const [busy, idle] = mocks;
  onTestFinished(async () => {
    for (const mock of mocks) await mock.close();
  });
  const until = performance.now() + 14_000;
  const keepBusy = async () => {
    while (performance.now() < until) await busy.control.clock();
  };
  await Promise.all([1, 2, 3, 4].map(keepBusy));
  expect((await idle.control.health()).store?.replicas).toBe(2);
});
