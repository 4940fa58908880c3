import { expect, test } from 'vitest';
import { unitOf } from '../../push-receiver/push-format.ts';

const now = 1_767_323_045_678;

test.for([
  ['1767323045', 'seconds'],
  ['1767323345', 'seconds'],
  ['1767323346', undefined],
  ['1767322746', 'seconds'],
  ['1767322745', undefined],
  ['1767323045678', 'milliseconds'],
  ['1767323345678', 'milliseconds'],
  ['1767323345679', undefined],
  ['1767323045678000', undefined],
  ['1767323045.678', 'seconds'],
  ['-1767323045', undefined],
  [' 1767323045', undefined],
  ['2026-01-02T03:04:05Z', undefined],
  ['0', undefined],
  ['', undefined],
] as const)('"%s" is now in %s', ([text, want]) => {
  expect(unitOf(text, { from: now, to: now })).toBe(want);
});

test('a moment that is known to a step only is anywhere in it', () => {
  expect(unitOf('1767320000', { from: now - 3_600_000, to: now })).toBe('seconds');
});
