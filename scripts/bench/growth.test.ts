import { expect, test } from 'vitest';
import { curvesOf, microsOf, type Round, worstFigure } from './growth.ts';

const rounds: readonly Round[] = [
  [
    { name: 'listSites', size: 10, micros: 50 },
    { name: 'listSites', size: 5000, micros: 100 },
    { name: 'login', size: 10, micros: 80 },
    { name: 'login', size: 5000, micros: 88 },
  ],
  [
    { name: 'listSites', size: 10, micros: 100 },
    { name: 'listSites', size: 5000, micros: 300 },
    { name: 'login', size: 10, micros: 100 },
    { name: 'login', size: 5000, micros: 100 },
  ],
];

test('a curve has the medians of its rounds at each size', () => {
  expect(curvesOf(rounds)).toEqual([
    {
      name: 'listSites',
      points: [
        { size: 10, micros: 75 },
        { size: 5000, micros: 200 },
      ],
    },
    {
      name: 'login',
      points: [
        { size: 10, micros: 90 },
        { size: 5000, micros: 94 },
      ],
    },
  ]);
});

test('the worst growth is held against the budget, by the ratio within each round', () => {
  const figure = worstFigure(rounds, { small: 10, large: 5000 }, { noun: 'sites', budget: 1.2 });
  expect(figure).toEqual({
    measured: 'listSites: 200 µs CPU at 5,000 sites',
    against: '75 µs CPU at 10',
    value: 2.5,
    unit: 'times',
    budget: { kind: 'at most', value: 1.2 },
  });
});

test('the cost of one is that of all by their number', () => {
  expect(microsOf({ seconds: 1, cpuMs: 30 }, 200)).toBe(150);
});
