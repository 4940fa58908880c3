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

/** Of a histogram, the value is the sum. */
interface Series extends Counter {
  name: MetricName;
  labels: Labels;
  /** How many values were at most each bound. */
  counts: number[];
  count: number;
}

export function createMetrics(): Metrics {
  const all = new Map<string, Series>();
  const worlds = new Set<MeasuredWorld>();

  function seriesOf(name: MetricName, labels: Labels): Series {
    const key = `${name} ${Object.values(labels).join(' ')}`;
    const { buckets = [] } = families[name];
    const found = all.get(key) ?? { name, labels, value: 0, counts: buckets.map(() => 0), count: 0 };
    all.set(key, found);
    return found;
  }

  function renderFamily(name: MetricName, now: number | undefined): string[] {
    const { type, help } = families[name];
    const own = [...all.values()].filter((series) => series.name === name);
    const lines = [
      ...(now === undefined ? [] : [sample(name, {}, now)]),
      ...own.flatMap((series) =>
        type === 'histogram' ? renderHistogram(series) : sample(name, series.labels, series.value),
      ),
    ];
    return lines.length > 0 ? [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines] : [];
  }

  return {
    add(name, amount, labels = {}) {
      seriesOf(name, labels).value += amount;
    },
    counter: seriesOf,
    observe(name, value, labels = {}) {
      const series = seriesOf(name, labels);
      series.value += value;
      series.count++;
      for (const [index, bound] of (families[name].buckets ?? []).entries())
        if (value <= bound) series.counts[index] = (series.counts[index] ?? 0) + 1;
    },
    watch(world) {
      worlds.add(world);
      return () => void worlds.delete(world);
    },
    render(now) {
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
  const { buckets = [] } = families[name];
  return [
    ...buckets.map((bound, index) => sample(`${name}_bucket`, { ...labels, le: bound }, counts[index] ?? 0)),
    sample(`${name}_bucket`, { ...labels, le: '+Inf' }, count),
    sample(`${name}_sum`, labels, value),
    sample(`${name}_count`, labels, count),
  ];
}

/** Values of labels are ids, statuses and words of ours: nothing in them has to be escaped. */
function sample(name: string, labels: Labels, value: number): string {
  const texts = Object.entries(labels).map(([label, text]) => `${label}="${text}"`);
  return `${name}${texts.length > 0 ? `{${texts.join(',')}}` : ''} ${value}`;
}
