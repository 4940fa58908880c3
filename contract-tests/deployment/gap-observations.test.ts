import { expect, test } from 'vitest';
import { makeProfile } from '../../openapi/profile.ts';
import { gaps } from '../../openapi/registers.ts';
import { createObservations, type Observations } from './gap-observations.ts';

const profile = makeProfile({ 'login.status': 201 }, { name: 'test', source: 'test' });

test.for([
  ['no observation', () => {}, { observed: null, outcome: 'not-observed' }],
  [
    'an equal value',
    (seen: Observations) => seen.compare('login.status', 201),
    { observed: '201', outcome: 'agrees' },
  ],
  [
    'a different value',
    (seen: Observations) => seen.compare('login.status', 200),
    { observed: '200', outcome: 'drift' },
  ],
  [
    'drift after agreement',
    (seen: Observations) => {
      seen.agrees('login.status', 201);
      seen.drifts('login.status', 'sometimes 200');
    },
    { observed: 'sometimes 200', outcome: 'drift' },
  ],
  [
    'agreement after drift',
    (seen: Observations) => {
      seen.compare('login.status', 200);
      seen.compare('login.status', 201);
    },
    { observed: '200', outcome: 'drift' },
  ],
  [
    'several values with a duplicate',
    (seen: Observations) => {
      for (const status of [200, 202, 200]) seen.compare('login.status', status);
    },
    { observed: '200; 202', outcome: 'drift' },
  ],
] as const)('reports %s', ([, see, want]) => {
  const seen = createObservations(profile);
  see(seen);
  expect(seen.report().find(({ id }) => id === 'login.status')).toEqual({
    id: 'login.status',
    value: 201,
    source: 'profile',
    ...want,
  });
});

test('reports every gap once in order, with the source of its value', () => {
  const report = createObservations(profile).report();
  expect(report.map(({ id }) => id)).toEqual(gaps.map(({ id }) => id));
  expect(report.filter(({ source }) => source === 'profile').map(({ id }) => id)).toEqual(['login.status']);
});

test('ignores unknown gaps', () => {
  const seen = createObservations(profile);
  seen.drifts('no.gap', 1);
  expect(seen.report().filter(({ outcome }) => outcome !== 'not-observed')).toEqual([]);
});
