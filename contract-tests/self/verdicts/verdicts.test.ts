// @module-tag ci
import { expect, test } from 'vitest';
import { judgeRow } from './judge-row.ts';
import { rows, rowsOnMovedClock } from './rows.ts';

test('no two rows have the same behaviour', () => {
  const behaviours = rows.map(({ behaviour }) => behaviour);
  expect(behaviours).toEqual([...new Set(behaviours)]);
});

test.for(rowsOnMovedClock)('$behaviour', (row) => judgeRow(row));
