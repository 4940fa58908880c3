import { expect, test } from 'vitest';
import { outcomesOf } from './testing/run.ts';

test.for([
  [[], []],
  [['RECV-2'], []],
  [['advice'], []],
  [[], ['RECV-1']],
] as const)('with %j only and without %j, as many results come as were announced', async ([only, skip]) => {
  const { run, selected } = await outcomesOf('http://127.0.0.1:9/', { only, skip });
  expect(run.abort?.kind).toBe('unreachable');
  expect(selected).toBe(run.results.length);
});
