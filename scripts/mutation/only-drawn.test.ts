import { expect, test } from 'vitest';
import { createIgnorer } from './only-drawn.ts';

const node = (start: [number, number], end: [number, number]) => ({
  node: {
    loc: { start: { line: start[0], column: start[1] }, end: { line: end[0], column: end[1] } },
  },
});

test.for([
  ['the place that was drawn', node([2, 4], [2, 20]), undefined],
  ['what it lies in', node([1, 0], [3, 1]), undefined],
  ['what lies in it', node([2, 4], [2, 12]), 'not drawn'],
  ['what lies beside it', node([5, 0], [5, 3]), 'not drawn'],
] as const)('says of %s whether to ignore it', ([, path, want]) => {
  const { shouldIgnore } = createIgnorer({ mutate: ['mock/x.ts:2:4-2:20'] });
  expect(shouldIgnore(path)).toBe(want);
});

test('ignores everything where nothing was drawn yet', () => {
  const { shouldIgnore } = createIgnorer({ mutate: ['mock/*.ts'] });
  expect(shouldIgnore(node([1, 0], [9, 0]))).toBe('not drawn');
});
