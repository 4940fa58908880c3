import { expect, test } from 'vitest';
import { createLoginBudget } from './login-budget.ts';

test('gives five logins in any minute, and says how long the next one is away', () => {
  let time = 0;
  const budget = createLoginBudget(() => time);
  const takeAt = (at: number) => {
    time = at;
    return budget.takeLogin();
  };
  expect([0, 10_000, 20_000, 30_000, 40_000].map(takeAt)).toEqual([0, 0, 0, 0, 0]);
  expect([40_000, 59_999].map(takeAt)).toEqual([20_000, 1]);
  expect([60_000, 60_001, 70_000].map(takeAt)).toEqual([0, 9_999, 0]);
});
