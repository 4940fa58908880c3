/** Quick: fewer rounds, to test the benchmark itself. */
export type Row = (isQuick: boolean) => Promise<Figure[]>;

export interface Figure {
  mock: string;
  /** The compared server, and its result. */
  comparedWith?: string;
  value: number;
  unit: string;
  most: number;
}

/** Discards the first round, in which code is compiled and caches are filled. */
export async function measureRounds<Result>(
  count: number,
  measure: () => Promise<Result>,
): Promise<Result[]> {
  await measure();
  const results: Result[] = [];
  while (results.length < count) results.push(await measure());
  return results;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  const [low = Number.NaN, high = Number.NaN] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
  return (low + high) / 2;
}

/** CPU time of the mock and of the compared server in each round, in microseconds. */
export type Pairs = readonly (readonly [mock: number, other: number])[];

export function ratioOf(pairs: Pairs, { name, most }: { name: string; most: number }): Figure {
  const inWords = (values: number[]) => `${Math.round(median(values)).toLocaleString('en')} µs CPU`;
  return {
    mock: inWords(pairs.map(([mock]) => mock)),
    comparedWith: `${name}: ${inWords(pairs.map(([, other]) => other))}`,
    value: median(pairs.map(([mock, other]) => mock / other)),
    unit: 'times the CPU',
    most,
  };
}
