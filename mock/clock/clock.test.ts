import { expect, test } from 'vitest';
import { timeOf } from '../world/time.ts';
import type { ClockState } from '../world/world.ts';
import { changeMode, moveClock } from './clock.ts';

test('a manual clock stands where it was moved, and never goes back', () => {
  const clock: ClockState = { mode: 'manual', time: 1000 };
  moveClock(clock, 5000);
  moveClock(clock, 3000);
  expect(clock).toEqual({ mode: 'manual', time: 5000 });
});

test('a real clock goes on from where it was moved', () => {
  const clock: ClockState = { mode: 'real', offset: 0 };
  const before = Date.now();
  moveClock(clock, before + 60_000);
  moveClock(clock, before);
  expect(timeOf(clock) - Date.now()).toBeGreaterThan(59_000);
  expect(timeOf(clock) - Date.now()).toBeLessThanOrEqual(60_000);
});

test('a clock that is stopped shows the same time, and goes on from it when it is let go', () => {
  const stopped = changeMode({ mode: 'real', offset: 3_600_000 }, 'manual');
  expect(timeOf(stopped) - Date.now()).toBeGreaterThan(3_599_000);
  moveClock(stopped, timeOf(stopped) + 1000);
  const going = changeMode(stopped, 'real');
  expect(going.mode).toBe('real');
  expect(Math.abs(timeOf(going) - timeOf(stopped))).toBeLessThan(100);
  expect(changeMode(going, 'real')).toBe(going);
});
