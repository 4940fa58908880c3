// Whether a timestamp is the time of its push, by the deployment's own clock.
import type { SentRequest } from '../core/exchange.ts';
import type { Moment } from '../deployment/deployment-clock.ts';
import { byDeployment } from '../deployment/deployment-time.ts';
import type { Remarks } from '../deployment/remarks.ts';
import type { Push } from './push-receiver.ts';

/** What comparing with the deployment's clock needs; a context of the run has it. */
export interface TimeContext {
  requests: readonly SentRequest[];
  remarks: Remarks;
}

/** How far a timestamp may be from the deployment's clock, in milliseconds. */
const toleranceMs = 300_000;

/** How long before its arrival a push may have been written, besides, in milliseconds. */
const queueMs = 60_000;

/** Where the deployment shows no clock, a time within a day of ours may be that of another time zone. */
const dayMs = 93_600_000;

/**
 * Whether a time, known as exactly as it is written, is that of a push: when it was sent, or when its delivery began (`startedAt`). A
 * deployment whose clock is wrong in its Date header too, or that sends none, gets a remark.
 */
export function isTimeOf(
  { requests, remarks }: TimeContext,
  push: Push,
  { time, startedAt = push.arrived.from }: { time: Moment; startedAt?: number },
): boolean {
  const lasted = { from: startedAt - queueMs, to: push.arrived.to };
  const shown = byDeployment(requests, lasted);
  const isOurs = overlaps(time, lasted, toleranceMs);
  if (shown ? !overlaps(time, shown, toleranceMs) : !overlaps(time, lasted, dayMs)) return false;
  if (!isOurs)
    remarks.add(
      'clock-differs',
      `${iso(time.from)} on a push of ${iso(push.arrived.to)}${shown ? ', as in the Date header' : ''}`,
    );
  return true;
}

function overlaps(one: Moment, other: Moment, byMs: number): boolean {
  return one.from <= other.to + byMs && one.to >= other.from - byMs;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
