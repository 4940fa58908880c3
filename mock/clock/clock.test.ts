import { expect, test } from 'vitest';
import { timeOf } from '../world/time.ts';
import type { ClockState } from '../world/world.ts';
import { changeClockMode, moveClock } from './clock.ts';

test.each<ClockState>([
  { mode: 'manual', time: 1000 },
  { mode: 'real', offset: 0 },
])('%j is moved forward alone, and keeps its time in another mode', (clock) => {
  const start = timeOf(clock);
  moveClock(clock, start + 60_000);
  moveClock(clock, start);
  expect(timeOf(clock) - start).toBeCloseTo(60_000, -3);
  const other = changeClockMode(clock, clock.mode === 'manual' ? 'real' : 'manual');
  expect(other.mode).not.toBe(clock.mode);
  expect(timeOf(other) - timeOf(clock)).toBeCloseTo(0, -3);
  expect(changeClockMode(other, other.mode)).toBe(other);
});
