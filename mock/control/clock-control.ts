import { changeClockMode } from '../clock/clock.ts';
import type { Attempt, Delivery } from '../world/entries.ts';
import { isoTime, timeOf } from '../world/time.ts';
import { checkBody } from './check-body.ts';
import { ControlError } from './control-error.ts';
import type { CausedAttemptView, ClockMove, ClockView, MovedClockView } from './control-views.ts';
import type { ControlledMock } from './controlled-mock.ts';
import { parseDuration } from './parse-duration.ts';
import { showCausedAttempt } from './show-delivery.ts';
import { showClock } from './show-world.ts';

/** Ten years, including leap days. */
const furthestMs = 3653 * 86_400_000;

export function clockControl(mock: ControlledMock) {
  /** Forward only. Does all that becomes due, and waits for what that causes. */
  async function moveClock(move: ClockMove): Promise<MovedClockView> {
    checkBody('moveClock', move);
    return mock.inOrder(async () => {
      const to = await mock.turn(() => {
        const { world } = mock;
        const target = targetOf(move, timeOf(world.clock));
        if (move.mode) world.clock = changeClockMode(world.clock, move.mode);
        return target;
      });
      const attempts = await attemptsDuring(mock, () => mock.scheduler.advance(to));
      mock.scheduler.wake();
      mock.events.emit('clock');
      return { ...showClock(mock.world), attempts };
    });
  }

  return {
    clock: (): ClockView => showClock(mock.world),
    moveClock,
    /** Moves the clock by an ISO 8601 duration, such as PT36M. */
    advance: (duration: string): Promise<MovedClockView> => moveClock({ advance: duration }),
  };
}

function targetOf({ to, advance }: ClockMove, now: number): number {
  if (to !== undefined && advance !== undefined)
    throw new ControlError(400, 'POST /_mock/clock: "to" and "advance" exclude each other; send one of them');
  const target = to === undefined ? now + (parseDuration(advance ?? 'PT0S') ?? Number.NaN) : Date.parse(to);
  if (target < now)
    throw new ControlError(
      409,
      `POST /_mock/clock: the clock goes forward only, and ${isoTime(target)} is before its time, ${isoTime(now)}; POST /_mock/reset takes it back to the beginning`,
    );
  // So that NaN, which is no time, is rejected too.
  if (target - now <= furthestMs) return target;
  throw new ControlError(400, 'POST /_mock/clock: the clock is moved by ten years at most; move it in steps');
}

/** In the order of their times. */
async function attemptsDuring(
  { events }: ControlledMock,
  move: () => Promise<void>,
): Promise<CausedAttemptView[]> {
  const attempts: [Delivery, Attempt][] = [];
  const record = (delivery: Delivery, attempt: Attempt) => attempts.push([delivery, attempt]);
  events.on('attempt', record);
  try {
    await move();
  } finally {
    events.off('attempt', record);
  }
  attempts.sort(([, one], [, other]) => one.at - other.at);
  return attempts.map(([delivery, attempt]) => showCausedAttempt(delivery, attempt));
}
