import { changeClockMode } from '../../clock/clock.ts';
import type { Attempt, Delivery } from '../../world/entries.ts';
import { isoTime, parseDuration, tenYearsMs, timeOf } from '../../world/time.ts';
import { refuse } from '../control-error.ts';
import type { Answer, Body, Call, ControlledMock, WaitingCall } from '../controlled-mock.ts';
import { showCausedAttempt, showClock } from '../show.ts';
import { follow } from '../stream/watch.ts';

export const getClock: Call<'getClock'> = ({ world }) => showClock(world);

export const moveClock: WaitingCall<'moveClock'> = async (mock, { body }) =>
  mock.inOrder(async () => {
    const to = await mock.turn(() => {
      const { world } = mock;
      const target = targetOf(body, timeOf(world.clock));
      if (body.mode) world.clock = changeClockMode(world.clock, body.mode);
      return target;
    });
    const attempts = await attemptsDuring(mock, () => mock.scheduler.advance(to));
    mock.scheduler.wake();
    mock.events.emit('clock');
    return { ...showClock(mock.world), attempts };
  });

function targetOf({ to, advance }: Body<'moveClock'>, now: number): number {
  if (to !== undefined && advance !== undefined)
    refuse(400, 'POST /_mock/clock: send either "to" or "advance", not both');
  const target = to === undefined ? now + (parseDuration(advance ?? 'PT0S') ?? Number.NaN) : Date.parse(to);
  if (target < now)
    refuse(
      409,
      `POST /_mock/clock: the clock only moves forward, and ${isoTime(target)} is before its time, ${isoTime(now)}; POST /_mock/reset restores the initial time`,
    );
  // The comparison is false for NaN, the result of an invalid time.
  if (target - now <= tenYearsMs) return target;
  return refuse(400, 'POST /_mock/clock: the clock moves by at most ten years; move it in several steps');
}

async function attemptsDuring(
  { events }: ControlledMock,
  move: () => Promise<void>,
): Promise<Answer<'moveClock'>['attempts']> {
  const attempts: [Delivery, Attempt][] = [];
  const end = follow(events, { attempt: (delivery, attempt) => attempts.push([delivery, attempt]) });
  await move().finally(end);
  attempts.sort(([, one], [, other]) => one.at - other.at);
  return attempts.map(([delivery, attempt]) => showCausedAttempt(delivery, attempt));
}
