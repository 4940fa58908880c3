import type { SentRequest } from '../core/exchange.ts';
import type { Moment } from '../deployment/deployment-clock.ts';
import { byDeployment } from '../deployment/deployment-time.ts';
import type { Remarks } from '../deployment/remarks.ts';
import type { Push } from './push-receiver.ts';

export interface TimeContext {
  requests: readonly SentRequest[];
  remarks: Remarks;
}

/** The allowed difference from the deployment's clock, in milliseconds. */
const toleranceMs = 300_000;

/** A push may wait this long in a queue before it is sent, in milliseconds. */
const queueMs = 60_000;

/** 26 hours: without a Date header, a time within a day may be in another time zone. */
const dayMs = 93_600_000;

/**
 * Whether `time` is the time of the push or of the start of its delivery (`startedAt`). Adds a remark if the deployment's Date header is wrong
 * as well, or missing.
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
      `${iso(time.from)} in a push that arrived at ${iso(push.arrived.to)}${shown ? ', as in the Date header' : ''}`,
    );
  return true;
}

function overlaps(one: Moment, other: Moment, byMs: number): boolean {
  return one.from <= other.to + byMs && one.to >= other.from - byMs;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
