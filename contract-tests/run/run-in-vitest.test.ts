import { expect, test } from 'vitest';
import { createCollector } from './run-in-vitest.ts';

test('a run that was given up before its first request has an empty archive, where one was asked for', () => {
  const archiveOf = (keepsExchanges: boolean) => createCollector({ keepsExchanges }).collected().har;
  expect(archiveOf(true)).toMatchObject({ log: { version: '1.2', entries: [] } });
  expect(archiveOf(false)).toBeUndefined();
});
