// The deployment's own clock, by the Date headers of its answers.
import type { SentRequest } from '../core/exchange.ts';
import type { Moment } from './deployment-clock.ts';

/** The range by which the deployment's clock is ahead of the run's, in milliseconds. */
interface Lead {
  from: number;
  to: number;
}

const leads = new WeakMap<readonly SentRequest[], { lead: Lead | undefined; seen: Set<SentRequest> }>();

/** Converts a moment to the deployment's own clock. Undefined without Date headers. The range widens if nodes disagree. */
export function byDeployment(requests: readonly SentRequest[], { from, to }: Moment): Moment | undefined {
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
