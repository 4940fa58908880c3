import { expect, test } from 'vitest';
import type { ClockReading, Control } from './control-api.ts';
import { createMovedClock, createRealClock } from './deployment-clock.ts';

const start = Date.parse('2026-01-02T03:04:05Z');

test('a moved clock is moved in one step where nothing is marked', async () => {
  const { control, moves } = fakeControl();
  const clock = await createMovedClock(control);
  await clock.pass(36 * 60_000, 'retries');
  expect(moves).toEqual([2_160_000]);
  expect(clock.now()).toBe(start + 2_160_000);
});

test('a moved clock stops at the marks on its way, in their order', async () => {
  const { control, moves } = fakeControl();
  const clock = await createMovedClock(control);
  for (const ms of [65_000, 55_000, 300_000, -5]) clock.mark(start + ms);
  await clock.waitUntil(start + 90_000, 'a retry');
  expect(moves).toEqual([55_000, 10_000, 25_000]);
});

test('what happens while the clock is moved is known to the step', async () => {
  const seen: unknown[] = [];
  const { control } = fakeControl(() => seen.push(clock.moment()));
  const clock = await createMovedClock(control);
  await clock.pass(60_000, 'a retry');
  expect(seen).toEqual([{ from: start, to: start + 60_000 }]);
  expect(clock.moment()).toEqual({ from: start + 60_000, to: start + 60_000 });
});

test('a moved clock is never moved back', async () => {
  const { control, moves } = fakeControl();
  const clock = await createMovedClock(control);
  await clock.waitUntil(start - 1, 'the past');
  expect(moves).toEqual([]);
});

test('a clock that does not move as it is told ends the wait', async () => {
  const { control } = fakeControl();
  const clock = await createMovedClock({ ...control, advance: () => control.readClock() });
  await expect(clock.pass(60_000, 'a retry')).rejects.toThrow('did not move its clock');
});

test('a wait on the real clock of more than a second is reported, and ends with the signal', async () => {
  const controller = new AbortController();
  const waits: [number, string][] = [];
  const clock = createRealClock((until, what) => waits.push([until - Date.now(), what]), controller.signal);
  const waiting = clock.pass(60_000, 'the retries of a push');
  controller.abort();
  await expect(waiting).rejects.toThrow('aborted');
  await clock.pass(1, 'nothing');
  expect(waits).toEqual([[expect.closeTo(60_000, -3), 'the retries of a push']]);
});

/** A mock's clock that changes only when it is moved. */
function fakeControl(onMove: () => void = () => {}): { control: Control; moves: number[] } {
  const moves: number[] = [];
  const reading = (): ClockReading => ({
    mode: 'manual',
    now: start + moves.reduce((sum, ms) => sum + ms, 0),
  });
  const control = {
    readClock: async () => reading(),
    advance: async (ms: number) => {
      onMove();
      moves.push(ms);
      return reading();
    },
  };
  return { control: control as unknown as Control, moves };
}
