// What a group of the campaign is, and what comes of it.

/** One thing to try. */
export interface Trial {
  /** Of what it tries, such as a deployment's. */
  id: string;
  /** How many inputs it tries, the same on every machine; one unless given. */
  count?: number;
  run(): Promise<Tried>;
}

/** What became of a trial. */
export interface Tried {
  id: string;
  /** What was promised and did not hold; empty where all did. */
  broken: readonly string[];
  seconds?: number | undefined;
  megabytes?: number | undefined;
  secondsAfterSignal?: number | undefined;
}

export interface Group {
  id: string;
  /** What is tried, as the table says it. */
  what: string;
  /** What is promised of it. */
  promise: string;
  /** Whether seconds count in what is promised: it is tried after the others, with half as many at the same time. */
  isTimed?: true;
  /** What this machine lacks for it, and how to get it; undefined where nothing is missing. */
  missing?(): string | undefined;
  /** The trials; `seeds` are those of what is made up. */
  trials(seeds: readonly number[]): readonly Trial[];
  /** Whether a campaign of these seeds tries it. Default: all. */
  isDrawn?(trial: Trial, seeds: readonly number[]): boolean;
}
