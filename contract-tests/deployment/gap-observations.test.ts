import { expect, test } from 'vitest';
import { makeProfile } from '../../openapi/profile.ts';
import { gaps } from '../../openapi/registers.ts';
import { createObservations, type Observations } from './gap-observations.ts';

const profile = makeProfile({ 'login.status': 201 }, { name: 'test', source: 'test' });

test.for<[string, (seen: Observations) => void, string | null, string]>([
  ['no observation', () => {}, null, 'not-observed'],
  ['an equal value', compareAll(201), '201', 'agrees'],
  ['a different value', compareAll(200), '200', 'drift'],
  [
    'drift after agreement',
    (seen) => {
      seen.agrees('login.status', 201);
      seen.drifts('login.status', 'sometimes 200');
    },
    'sometimes 200',
    'drift',
  ],
  ['agreement after drift', compareAll(200, 201), '200', 'drift'],
  ['several values with a duplicate', compareAll(200, 202, 200), '200; 202', 'drift'],
])('reports %s', ([, see, observed, outcome]) => {
  const seen = createObservations(profile);
  see(seen);
  expect(seen.report().find(({ id }) => id === 'login.status')).toEqual({
    id: 'login.status',
    value: 201,
    source: 'profile',
    observed,
    outcome,
  });
});

function compareAll(...statuses: readonly number[]) {
  return (seen: Observations) => {
    for (const status of statuses) seen.compare('login.status', status);
  };
}

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
