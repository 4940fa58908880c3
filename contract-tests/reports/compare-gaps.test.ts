import { expect, test } from 'vitest';
import type { GapReport } from '../deployment/gap-observations.ts';
import { compareGaps } from './compare-gaps.ts';
import { reportOf, sample } from './testing.ts';

const gap = (observed: string | null, outcome: GapReport['outcome'], value: unknown = 200): GapReport => ({
  id: 'login.status',
  value,
  source: 'profile',
  observed,
  outcome,
});
const agrees = gap('200', 'agrees');
const drift = gap('201', 'drift');
const unseen = gap(null, 'not-observed');

test.for<[string, GapReport | undefined, GapReport | undefined, string | undefined]>([
  ['the same', agrees, agrees, undefined],
  ['new drift', agrees, drift, 'drifts'],
  ['drift of what was not observed', unseen, drift, 'drifts'],
  ['drift of what the older report does not know', undefined, drift, 'drifts'],
  ['drift, with another value', gap('200', 'agrees', 200), gap('201', 'drift', 202), 'drifts'],
  ['drift that is gone', drift, agrees, 'drift-gone'],
  ['a profile that was mended', drift, gap('201', 'agrees', 201), 'drift-gone'],
  ['other drift', drift, gap('204', 'drift'), 'observed-otherwise'],
  ['what agrees otherwise', agrees, gap('200; 201', 'agrees'), 'observed-otherwise'],
  ['the same in another order', gap('1; 2', 'drift'), gap('2; 1', 'drift'), undefined],
  ['another value', agrees, gap('200', 'agrees', [200]), 'value'],
  ['an equal value', gap('x', 'agrees', { a: 1 }), gap('x', 'agrees', { a: 1 }), undefined],
  ['another value of what nobody saw', unseen, gap(null, 'not-observed', 201), 'value'],
  ['what is newly observed', unseen, agrees, 'newly-observed'],
  ['a gap that is new', undefined, agrees, 'newly-observed'],
  ['a gap that is new and not observed', undefined, unseen, undefined],
  ['what is no longer observed', agrees, unseen, 'no-longer-observed'],
  ['drift that is no longer observed', drift, unseen, 'no-longer-observed'],
  ['a gap that the newer report does not know', agrees, undefined, undefined],
])('finds %s', ([, before, after, want]) => {
  const reportWith = (one: GapReport | undefined) => reportOf({ gaps: one ? [one] : [] });
  expect(compareGaps(reportWith(before), reportWith(after)).map(({ kind }) => kind)).toEqual(
    want ? [want] : [],
  );
});

test('tells both states, new drift first', () => {
  const other = (id: string, one: GapReport) => ({ ...one, id });
  const [before, after] = [
    reportOf({ gaps: [other('a', unseen), other('b', agrees)] }),
    reportOf({ gaps: [other('a', agrees), other('b', drift)] }),
  ];
  const { id: _agrees, ...agreeing } = agrees;
  const { id: _drift, ...drifting } = drift;
  const { id: _unseen, ...hidden } = unseen;
  expect(compareGaps(before, after)).toEqual([
    { id: 'b', kind: 'drifts', before: agreeing, after: drifting },
    { id: 'a', kind: 'newly-observed', before: hidden, after: agreeing },
  ]);
  expect(compareGaps(sample, sample)).toEqual([]);
});
