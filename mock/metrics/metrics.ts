// Prometheus text format: https://prometheus.io/docs/instrumenting/exposition_formats/

/** A metric whose name ends with "_total" is a counter, by convention of Prometheus. */
const help = {
  sitepub_requests_total: 'Requests to the service that the mock has answered.',
  sitepub_attempts_total: 'Delivery attempts of pushes.',
  sitepub_oldest_due_seconds: 'How long the oldest due push has waited, in the worlds in memory.',
  sitepub_worlds: 'Worlds in memory, including main.',
  sitepub_replicas: 'Mocks that share the store.',
  sitepub_kept_worlds: 'Worlds in the store, including main.',
  sitepub_turn_seconds: 'Duration of a turn of the store: wait for its worlds, run, commit.',
  sitepub_turn_calls: 'Calls and jobs in a turn.',
  sitepub_rows_changed_total: 'Rows that this process has written.',
  sitepub_rows_caught_up_total: 'Rows of other processes that this process has read.',
  sitepub_turn_failures_total: 'Turns that were not persisted.',
  sitepub_claims: 'Delivery attempts that this process has claimed.',
  sitepub_claims_taken_over_total: 'Delivery attempts taken over from another process.',
};

type MetricName = keyof typeof help;

export const metricNames = Object.keys(help) as MetricName[];

/** A metric with buckets is a histogram. */
const bucketsOf: Readonly<Partial<Record<MetricName, readonly number[]>>> = {
  sitepub_turn_seconds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  sitepub_turn_calls: [1, 2, 4, 8, 16, 32, 64, 128, 256],
};

export type Metrics = ReturnType<typeof createMetrics>;

/** Gauges that are read at each scrape. */
interface MeasuredWorld {
  oldestDueSeconds(): number;
  claims(): number;
}

type Labels = Readonly<Record<string, string | number>>;

interface Series {
  name: MetricName;
  labels: Labels;
  /** The sum, for a histogram. */
  value: number;
  /** For each bucket, how many values were at most its bound. */
  counts: number[];
  count: number;
}

export function createMetrics() {
  const all = new Map<string, Series>();
  const worlds = new Set<MeasuredWorld>();

  function seriesOf(name: MetricName, labels: Labels): Series {
    const key = `${name} ${Object.values(labels).join(' ')}`;
    const counts = (bucketsOf[name] ?? []).map(() => 0);
    const found = all.get(key) ?? { name, labels, value: 0, counts, count: 0 };
    all.set(key, found);
    return found;
  }

  function renderFamily(name: MetricName, now: number | undefined): string[] {
    const type = bucketsOf[name] ? 'histogram' : name.endsWith('_total') ? 'counter' : 'gauge';
    const own = [...all.values()].filter((series) => series.name === name);
    const lines = [
      ...(now === undefined ? [] : [sample(name, {}, now)]),
      ...own.flatMap((series) =>
        type === 'histogram' ? renderHistogram(series) : sample(name, series.labels, series.value),
      ),
    ];
    return lines.length > 0 ? [`# HELP ${name} ${help[name]}`, `# TYPE ${name} ${type}`, ...lines] : [];
  }

  return {
    add(name: MetricName, amount: number, labels: Labels = {}): void {
      seriesOf(name, labels).value += amount;
    },
    /** Returns the series that `add` changes, so that hot paths skip its look-up. */
    counter: seriesOf,
    /** For histograms only. */
    observe(name: MetricName, value: number, labels: Labels = {}): void {
      const series = seriesOf(name, labels);
      series.value += value;
      series.count++;
      for (const [index, bound] of (bucketsOf[name] ?? []).entries())
        if (value <= bound) series.counts[index] = (series.counts[index] ?? 0) + 1;
    },
    /** Includes a world in the gauges until the returned function is called. */
    watch(world: MeasuredWorld): () => void {
      worlds.add(world);
      return () => void worlds.delete(world);
    },
    /** `now` has the values of further gauges. */
    render(now: Readonly<Partial<Record<MetricName, number>>>): string {
      const measured = { ...now, ...measure([...worlds]) };
      return `${metricNames.flatMap((name) => renderFamily(name, measured[name])).join('\n')}\n`;
    },
  };
}

function measure(worlds: readonly MeasuredWorld[]): Partial<Record<MetricName, number>> {
  return {
    sitepub_worlds: worlds.length,
    sitepub_oldest_due_seconds: Math.max(0, ...worlds.map((world) => world.oldestDueSeconds())),
    sitepub_claims: worlds.reduce((sum, world) => sum + world.claims(), 0),
  };
}

function renderHistogram({ name, labels, counts, value, count }: Series): string[] {
  return [
    ...(bucketsOf[name] ?? []).map((bound, index) =>
      sample(`${name}_bucket`, { ...labels, le: bound }, counts[index] ?? 0),
    ),
    sample(`${name}_bucket`, { ...labels, le: '+Inf' }, count),
    sample(`${name}_sum`, labels, value),
    sample(`${name}_count`, labels, count),
  ];
}

/** Label values are ids, statuses and own words, so none needs escaping. */
function sample(name: string, labels: Labels, value: number): string {
  const texts = Object.entries(labels).map(([label, text]) => `${label}="${text}"`);
  return `${name}${texts.length > 0 ? `{${texts.join(',')}}` : ''} ${value}`;
}
