// Counts what a process does, in the form that Prometheus reads: https://prometheus.io/docs/instrumenting/exposition_formats/
import { families, type MetricName, metricNames } from './families.ts';

export interface Metrics {
  add(name: MetricName, amount: number, labels?: Labels): void;
  /** One of those that `add` adds to, for who counts often. */
  counter(name: MetricName, labels: Labels): Counter;
  /** Of a histogram. */
  observe(name: MetricName, value: number, labels?: Labels): void;
  /** Measures the world, too, until what it returns is called. */
  watch(world: MeasuredWorld): () => void;
  /** All of them as text, with these values of what is measured now. */
  render(now: Readonly<Partial<Record<MetricName, number>>>): string;
}

/** What is measured when somebody asks. */
interface MeasuredWorld {
  oldestDueSeconds(): number;
  /** Pushes that this process is about to send. */
  claims(): number;
}

interface Counter {
  value: number;
}

type Labels = Readonly<Record<string, string | number>>;

interface Histogram {
  labels: Labels;
  /** How many values were at most each bound. */
  counts: number[];
  sum: number;
  count: number;
}

export function createMetrics(): Metrics {
  const counters = new Map<string, Counter & { name: MetricName; labels: Labels }>();
  const worlds = new Set<MeasuredWorld>();
  const histograms = new Map<string, { name: MetricName } & Histogram>();

  function renderFamily(name: MetricName, now: number | undefined): string[] {
    const { type, help } = families[name];
    const lines = [
      ...(now === undefined ? [] : [sample(name, {}, now)]),
      ...[...counters.values()]
        .filter((counter) => counter.name === name)
        .map(({ labels, value }) => sample(name, labels, value)),
      ...[...histograms.values()]
        .filter((histogram) => histogram.name === name)
        .flatMap((histogram) => renderHistogram(name, histogram)),
    ];
    return lines.length > 0 ? [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines] : [];
  }

  function counter(name: MetricName, labels: Labels): Counter {
    const key = keyOf(name, labels);
    const found = counters.get(key) ?? { name, labels, value: 0 };
    counters.set(key, found);
    return found;
  }

  return {
    add(name, amount, labels = {}) {
      counter(name, labels).value += amount;
    },
    counter,
    observe(name, value, labels = {}) {
      const { buckets = [] } = families[name];
      const key = keyOf(name, labels);
      const histogram = histograms.get(key) ?? {
        name,
        labels,
        counts: buckets.map(() => 0),
        sum: 0,
        count: 0,
      };
      histograms.set(key, histogram);
      histogram.sum += value;
      histogram.count++;
      for (const [index, bound] of buckets.entries())
        if (value <= bound) histogram.counts[index] = (histogram.counts[index] ?? 0) + 1;
    },
    watch(world) {
      worlds.add(world);
      return () => void worlds.delete(world);
    },
    render(now) {
      const all = { ...now, ...measure([...worlds]) };
      return `${metricNames.flatMap((name) => renderFamily(name, all[name])).join('\n')}\n`;
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

function keyOf(name: MetricName, labels: Labels): string {
  return `${name} ${Object.values(labels).join(' ')}`;
}

function renderHistogram(name: MetricName, { labels, counts, sum, count }: Histogram): string[] {
  const { buckets = [] } = families[name];
  return [
    ...buckets.map((bound, index) => sample(`${name}_bucket`, { ...labels, le: bound }, counts[index] ?? 0)),
    sample(`${name}_bucket`, { ...labels, le: '+Inf' }, count),
    sample(`${name}_sum`, labels, sum),
    sample(`${name}_count`, labels, count),
  ];
}

/** Values of labels are ids, statuses and words of ours: nothing in them has to be escaped. */
function sample(name: string, labels: Labels, value: number): string {
  const texts = Object.entries(labels).map(([label, text]) => `${label}="${text}"`);
  return `${name}${texts.length > 0 ? `{${texts.join(',')}}` : ''} ${value}`;
}
