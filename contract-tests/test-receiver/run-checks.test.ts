import { expect, test } from 'vitest';
import type { Answer } from './push-answer.ts';
import { createPatience } from './receiver-context.ts';
import { createRunBudget } from './run-budget.ts';
import { outcomesOf } from './testing/run.ts';

test.for([
  [[], []],
  [['RECV-2'], []],
  [['advice'], []],
  [[], ['RECV-1']],
] as const)('announces the number of results with only %j and skip %j', async ([only, skip]) => {
  const { run, selected } = await outcomesOf('http://127.0.0.1:9/', { only, skip });
  expect(run.abort?.kind).toBe('unreachable');
  expect(selected).toBe(run.results.length);
});

function patienceOf(timeoutMs: number) {
  const waited: number[] = [];
  const patience = createPatience(timeoutMs, async (ms) => waited.push(ms));
  return { patience, waited };
}

test('doubles the pauses until a minute has passed', async () => {
  const { patience, waited } = patienceOf(10_000);
  const { pause } = patience.forOne();
  while (await pause(undefined));
  expect(waited).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 2_000]);
});

test('follows Retry-After within limits', async () => {
  const { patience, waited } = patienceOf(10_000);
  const { pause } = patience.forOne();
  expect([await pause('7'), await pause('soon'), await pause('99999'), await pause('1')]).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect(waited).toEqual([7_000, 2_000, 56_000]);
});

test('allows maximum pauses for two pushes of a run', async () => {
  const { patience, waited } = patienceOf(10_000);
  for (const expected of [true, true, false]) expect(await patience.forOne().pause('65')).toBe(expected);
  expect(waited).toEqual([65_000, 65_000]);
});

const answered = (ms: number, isUnended = false): Answer => ({
  kind: 'answered',
  status: 200,
  text: '',
  retryAfter: undefined,
  ms,
  isUnended,
});
const late: Answer = { kind: 'silence', reason: 'none within 10 s', how: 'late', ms: 10_000 };

test('shortens the time for bodies after ten endless ones', () => {
  const budget = createRunBudget(10_000);
  for (let count = 0; count < 100; count++) budget.count(answered(900));
  for (let count = 0; count < 9; count++) budget.count(answered(1_000, true));
  expect(budget.bodyMs()).toBe(1_000);
  budget.count(answered(1_000, true));
  expect(budget.bodyMs()).toBe(50);
});

test.each([
  ['fourteen late answers', { timeoutMs: 10_000, lates: 14, ms: 140_000 }, undefined],
  ['fifteen late answers', { timeoutMs: 10_000, lates: 15, ms: 150_000 }, 'waited 150 s for answers'],
  ['nearly ten minutes', { timeoutMs: 1_000, lates: 0, ms: 599_999 }, undefined],
  ['ten minutes', { timeoutMs: 1_000, lates: 0, ms: 600_000 }, 'has taken 600 s'],
  ['ten minutes with a longer timeout', { timeoutMs: 20_000, lates: 0, ms: 600_000 }, undefined],
  [
    'a burst of 200 late answers, which counts once',
    { timeoutMs: 10_000, lates: 1, ms: 10_000, atOnce: 200 },
    undefined,
  ],
] as const)('limits a run after %s', (_case, given, want) => {
  const { timeoutMs, lates, ms, atOnce } = { atOnce: 1, ...given };
  const startedAt = 5;
  let now = startedAt;
  const budget = createRunBudget(timeoutMs, () => now);
  for (let count = 0; count < lates; count++) {
    now += late.ms;
    for (let one = 0; one < atOnce; one++) budget.count(late);
  }
  now = startedAt + ms;
  expect(budget.spent()).toEqual(want && expect.stringContaining(want));
});
