// Worlds in which pushes wait for their retries.
import type { Snapshot } from '../../mock/world/snapshot.ts';

/** The first of the pushes; no bench world has so many. */
const firstId = 1_000_001;
const later = Date.parse('9000-01-01T00:00:00Z');

/** With `count` pushes that wait for their retry, beyond the time of any measurement. Their texts are short, since the log has a bound in bytes. */
export function withPending(snapshot: Snapshot, count: number): Snapshot {
  const { counters, deliveries, jobs } = snapshot;
  for (let id = firstId; id < firstId + count; id++) {
    deliveries[id] = { ...about(id), state: 'pending', nextAttemptAt: later };
    jobs.push({ id, at: later, task: { kind: 'attempt', deliveryId: id, cause: 'retry' } });
  }
  // What is created later gets other numbers.
  for (const name of Object.keys(counters) as (keyof typeof counters)[]) counters[name] = firstId + count;
  return snapshot;
}

function about(id: number): Omit<Snapshot['deliveries'][string], 'state'> {
  return {
    ...{ id, siteId: 1, subscriptionId: 1, event: 'form.submit', channel: 'custom', isTest: false },
    ...{ createdAt: Date.now(), url: 'http://a.example', body: '{}', retries: 0, attempts: [] },
  };
}
