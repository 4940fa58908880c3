import { changeClockMode } from '../clock/clock.ts';
import type { Service } from '../service.ts';
import type { Attempt, Delivery } from '../world/world.ts';
import type { ControlContext } from './control-context.ts';
import { ControlError } from './control-error.ts';
import type { CausedAttemptView, ClockMove, ClockView, MovedClockView } from './control-views.ts';
import { parseDuration } from './parse-duration.ts';
import { showCausedAttempt } from './show-delivery.ts';
import { isoTime, showClock } from './show-world.ts';

/** Ten years, with their leap days. */
const furthestMs = 3653 * 86_400_000;

export function clockControl({ service, check, inTurn }: ControlContext) {
  /** Forward only; does all that is due on the way, and waits for what that causes. */
  async function moveClock(move: ClockMove): Promise<MovedClockView> {
    check('moveClock', move);
    return inTurn(() => moveNow(move));
  }

  async function moveNow(move: ClockMove): Promise<MovedClockView> {
    const to = targetOf(move, service.clock.now());
    if (move.mode) service.world.clock = changeClockMode(service.world.clock, move.mode);
    const attempts = await attemptsDuring(service, () => service.scheduler.advance(to));
    service.scheduler.wake();
    service.events.emit('clock');
    return { ...showClock(service.world), attempts };
  }

  return {
    clock: (): ClockView => showClock(service.world),
    moveClock,
    /** By an ISO 8601 duration, such as PT36M. */
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
      `POST /_mock/clock: the clock goes forward only, and ${isoTime(target)} lies before its time, ${isoTime(now)}; POST /_mock/reset takes it back to the beginning`,
    );
  // Said this way round, for what is no time is refused too.
  if (target - now <= furthestMs) return target;
  throw new ControlError(400, 'POST /_mock/clock: the clock is moved by ten years at most; move it in steps');
}

/** In the order in which they were made. */
async function attemptsDuring(
  { events: feed }: Service,
  move: () => Promise<void>,
): Promise<CausedAttemptView[]> {
  const attempts: CausedAttemptView[] = [];
  const note = (delivery: Delivery, attempt: Attempt) => attempts.push(showCausedAttempt(delivery, attempt));
  feed.on('attempt', note);
  try {
    await move();
  } finally {
    feed.off('attempt', note);
  }
  return attempts.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}
