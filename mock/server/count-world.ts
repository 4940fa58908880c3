// What the metrics tell of a world of this process.
import { oldestDueMs } from '../clock/jobs.ts';
import type { Counter, Metrics } from '../metrics/metrics.ts';
import type { Mock } from '../service.ts';
import type { Attempt } from '../world/entries.ts';

/** Counts requests and attempts to deliver, but for those of other processes, and measures what waits. */
export function countWorld(mock: Mock): void {
  const { events, metrics, store } = mock;
  const countRequest = createRequestCounter(metrics);
  events.on('request', ({ operation = 'none', answer }, _entry, isElsewhere) => {
    if (!isElsewhere) countRequest(operation, answer?.status ?? 0);
  });
  const countAttempt = createAttemptCounter(metrics);
  events.on('attempt', (_delivery, attempt, isElsewhere) => {
    if (!isElsewhere) countAttempt(outcomeOf(attempt));
  });
  const leave = metrics.watch({
    oldestDueSeconds: () => oldestDueMs(mock.world) / 1000,
    claims: () =>
      [...mock.world.jobs.values()].filter(({ held }) => held && held.by === store?.shared?.id).length,
  });
  events.on('closing', leave);
}

/** Found without making texts, since each request is counted. */
function createRequestCounter(metrics: Metrics) {
  const counters = new Map<string, Map<number, Counter>>();
  const add = (operation: string, status: number): Counter => {
    const counter = metrics.counter('sitepub_requests_total', { operation, status });
    const ofOperation = counters.get(operation) ?? new Map<number, Counter>();
    counters.set(operation, ofOperation.set(status, counter));
    return counter;
  };
  return (operation: string, status: number): void => {
    const counter = counters.get(operation)?.get(status) ?? add(operation, status);
    counter.value++;
  };
}

/** In the same way. */
function createAttemptCounter(metrics: Metrics) {
  const counters = new Map<string, Counter>();
  return (outcome: string): void => {
    const counter = counters.get(outcome) ?? metrics.counter('sitepub_attempts_total', { outcome });
    counters.set(outcome, counter);
    counter.value++;
  };
}

function outcomeOf({ outcome }: Attempt): string {
  if ('error' in outcome) return 'no-answer';
  const { status, refusal } = outcome;
  return status >= 200 && status <= 299 && refusal === undefined ? 'delivered' : 'refused';
}
