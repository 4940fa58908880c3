import { expect, test } from 'vitest';
import { formatTable } from './table.ts';

test('a figure is held against its budget', () => {
  const least = { kind: 'at least', value: 0.8 } as const;
  const most = { kind: 'at most', value: 150 } as const;
  const figures = [
    { measured: '95 µs', against: 'bare Fastify: 60 µs', value: 0.631, unit: 'times', budget: least },
    { measured: '70 µs', value: 0.8, unit: 'times', budget: least },
    { measured: '150 MB', value: 150, unit: 'MB', budget: most },
    { measured: '151 MB', value: 151, unit: 'MB', budget: most },
    { measured: '90 µs', value: 4.2, unit: 'times' },
  ];
  expect(formatTable([{ id: 'x', figures }])).toBe(
    [
      'row  mock    against              value       budget',
      'x    95 µs   bare Fastify: 60 µs  0.63 times  at least 0.8  short',
      'x    70 µs                        0.80 times  at least 0.8  ok',
      'x    150 MB                       150.00 MB   at most 150   ok',
      'x    151 MB                       151.00 MB   at most 150   short',
      'x    90 µs                        4.20 times',
    ].join('\n'),
  );
});
