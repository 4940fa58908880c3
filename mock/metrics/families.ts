// What `GET /_mock/metrics` tells of a process. Seconds and bytes, as Prometheus wants them.

interface Family {
  type: 'counter' | 'gauge' | 'histogram';
  help: string;
  /** Of a histogram. */
  buckets?: readonly number[];
}

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const calls = [1, 2, 4, 8, 16, 32, 64, 128, 256];

const table = {
  sitepub_requests_total: { type: 'counter', help: 'Requests of the service that were answered.' },
  sitepub_attempts_total: { type: 'counter', help: 'Attempts to deliver a push.' },
  sitepub_oldest_due_seconds: {
    type: 'gauge',
    help: 'For how long the push that waits longest could have been sent, in the worlds in memory.',
  },
  sitepub_worlds: { type: 'gauge', help: 'Worlds in memory, main included.' },
  sitepub_replicas: { type: 'gauge', help: 'Mocks that share the store.' },
  sitepub_kept_worlds: { type: 'gauge', help: 'Worlds that the store keeps, main included.' },
  sitepub_turn_seconds: {
    type: 'histogram',
    help: 'How long a turn of the store waited for its worlds, worked, and was committed.',
    buckets: seconds,
  },
  sitepub_turn_calls: { type: 'histogram', help: 'What was done in a turn.', buckets: calls },
  sitepub_rows_changed_total: { type: 'counter', help: 'Rows that were written.' },
  sitepub_rows_caught_up_total: { type: 'counter', help: 'Rows that others had written.' },
  sitepub_turn_failures_total: { type: 'counter', help: 'Turns that were not kept.' },
  sitepub_claims: { type: 'gauge', help: 'Pushes that this process is about to send.' },
  sitepub_claims_taken_over_total: {
    type: 'counter',
    help: 'Pushes that another process had begun and not ended.',
  },
} as const satisfies Record<string, Family>;

export type MetricName = keyof typeof table;

export const metricNames = Object.keys(table) as MetricName[];

export const families: Readonly<Record<MetricName, Family>> = table;
