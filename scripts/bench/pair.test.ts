import { expect, test } from 'vitest';
import { comparePairs, describeSamples, type Sample } from './pair.ts';

const sample = (cpuPerRequest: number, requestsPerSecond: number): Sample => ({
  cpuPerRequest,
  requestsPerSecond,
});

test('a server that takes half the CPU time of another is twice as good, by the median of the rounds', () => {
  const pairs = [
    [sample(50, 1000), sample(100, 500)],
    [sample(50, 900), sample(900, 300)],
    [sample(50, 800), sample(10, 800)],
  ] as const;
  expect(comparePairs(pairs)).toEqual({ byCpu: 2, bySpeed: 2 });
});

test('samples are described by their medians', () => {
  expect(describeSamples([sample(95.4, 8000), sample(1200, 12_000), sample(90, 7000)])).toBe(
    '95 µs CPU, 8,000/s',
  );
});
