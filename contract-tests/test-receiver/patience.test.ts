import { expect, test } from 'vitest';
import { createPatience } from './patience.ts';

function patienceOf(timeoutMs: number) {
  const waited: number[] = [];
  const patience = createPatience(timeoutMs, async (ms) => waited.push(ms));
  return { patience, waited };
}

test('the pauses grow until a minute has gone', async () => {
  const { patience, waited } = patienceOf(10_000);
  const { pause } = patience.forOne();
  while (await pause(undefined));
  expect(waited).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 2_000]);
});

test('the answer says how long, within bounds', async () => {
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

test('a run has patience for two pushes of that kind', async () => {
  const { patience, waited } = patienceOf(10_000);
  for (const expected of [true, true, false]) expect(await patience.forOne().pause('65')).toBe(expected);
  expect(waited).toEqual([65_000, 65_000]);
});
