import type { SentRequest } from '../core/exchange.ts';
import type { Moment } from '../deployment/deployment-clock.ts';
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

/** The range by which the deployment's clock is ahead of the run's, in milliseconds. */
interface Lead {
  from: number;
  to: number;
}

const leads = new WeakMap<readonly SentRequest[], { lead: Lead | undefined; seen: Set<SentRequest> }>();

/** Converts a moment to the deployment's own clock. Undefined without Date headers. The range widens if nodes disagree. */
function byDeployment(requests: readonly SentRequest[], { from, to }: Moment): Moment | undefined {
  const known = leads.get(requests) ?? { lead: undefined, seen: new Set() };
  leads.set(requests, known);
  for (const request of requests) {
    if (known.seen.has(request) || request.answeredAt === undefined) continue;
    known.seen.add(request);
    known.lead = widen(known.lead, leadOf(request));
  }
  return known.lead && { from: from + known.lead.from, to: to + known.lead.to };
}

/** The header has whole seconds and was written between request and answer. */
function leadOf({ at, answeredAt = at, exchange }: SentRequest): Lead | undefined {
  const date = Date.parse(String(exchange?.response.headers.date));
  return Number.isNaN(date) ? undefined : { from: date - answeredAt, to: date + 1_000 - at };
}

function widen(one: Lead | undefined, other: Lead | undefined): Lead | undefined {
  if (!one || !other) return one ?? other;
  return { from: Math.min(one.from, other.from), to: Math.max(one.to, other.to) };
}
