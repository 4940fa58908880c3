import { expect, test } from 'vitest';
import { timeOf } from '../world/time.ts';
import type { ClockState } from '../world/world.ts';
import { changeClockMode, moveClock } from './clock.ts';

test('a manual clock stays where it was moved, and never goes back', () => {
  const clock: ClockState = { mode: 'manual', time: 1000 };
  moveClock(clock, 5000);
  moveClock(clock, 3000);
  expect(clock).toEqual({ mode: 'manual', time: 5000 });
});

test('a real clock runs on from where it was moved', () => {
  const clock: ClockState = { mode: 'real', offset: 0 };
  const before = Date.now();
  moveClock(clock, before + 60_000);
  moveClock(clock, before);
  expect(timeOf(clock) - Date.now()).toBeGreaterThan(59_000);
  expect(timeOf(clock) - Date.now()).toBeLessThanOrEqual(60_000);
});

test('a stopped clock shows the same time, and runs on from it when restarted', () => {
  const stopped = changeClockMode({ mode: 'real', offset: 3_600_000 }, 'manual');
  expect(timeOf(stopped) - Date.now()).toBeGreaterThan(3_599_000);
  moveClock(stopped, timeOf(stopped) + 1000);
  const running = changeClockMode(stopped, 'real');
  expect(running.mode).toBe('real');
  expect(Math.abs(timeOf(running) - timeOf(stopped))).toBeLessThan(100);
  expect(changeClockMode(running, 'real')).toBe(running);
});
