// What bursts at different moments show together.
import { minuteMs, perMinute } from '../../core/documented-limits.ts';
import { type Burst, isOver } from './burst.ts';

/** Whether a burst after a quiet minute was as it should be. */
export function isPlain(burst: Burst): boolean {
  return burst.before === 0 && burst.refusal !== undefined && isRight(burst);
}

/** Whether as many calls were let through as a limit of ten a minute does. */
function isRight(burst: Burst): boolean {
  return !isFew(burst) && !isOver(burst);
}

/** Whether calls were refused before ten were let through. */
export function isFew({ accepted, refusal }: Burst): boolean {
  return refusal !== undefined && accepted < perMinute;
}

/** The last burst was as it should be, or two of them agree. */
export function isSettled(bursts: readonly Burst[]): boolean {
  const last = bursts.at(-1);
  const isLastRight = last !== undefined && isRight(last);
  return isLastRight || isAgreed(bursts, isFew) || isAgreed(bursts, isOver);
}

/** Whether two bursts show the same: as few calls, or too many at different moments of the minute. */
export function isAgreed(bursts: readonly Burst[], isOdd: (burst: Burst) => boolean): boolean {
  const odd = bursts.filter(isOdd);
  return odd.some((one, index) => odd.slice(index + 1).some((other) => doAgree(one, other)));
}

function doAgree(one: Burst, other: Burst): boolean {
  return isFew(one) ? one.accepted === other.accepted : !haveMomentInCommon(one, other);
}

/** Whether a window that is aligned to the clock could have ended in both. */
function haveMomentInCommon(one: Burst, other: Burst): boolean {
  const length = ({ startedAt, lastAcceptedAt }: Burst) => lastAcceptedAt - startedAt;
  const ahead = (((other.startedAt - one.startedAt) % minuteMs) + minuteMs) % minuteMs;
  return ahead <= length(one) || minuteMs - ahead <= length(other);
}
