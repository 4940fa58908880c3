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
    refuse(400, 'POST /_mock/clock: "to" and "advance" exclude each other; send one of them');
  const target = to === undefined ? now + (parseDuration(advance ?? 'PT0S') ?? Number.NaN) : Date.parse(to);
  if (target < now)
    refuse(
      409,
      `POST /_mock/clock: the clock goes forward only, and ${isoTime(target)} is before its time, ${isoTime(now)}; POST /_mock/reset takes it back to the beginning`,
    );
  // The comparison is false for NaN, the result of an invalid time.
  if (target - now <= tenYearsMs) return target;
  return refuse(400, 'POST /_mock/clock: the clock is moved by ten years at most; move it in steps');
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
