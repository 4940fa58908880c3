// @module-tag ci
import { expect, test } from 'vitest';
import { rows, rowsOnMovedClock } from './rows.ts';
import { judgeRow } from './verdict-row.ts';

test('has no behaviour twice', () => {
  const behaviours = rows.map(({ behaviour }) => behaviour);
  expect(behaviours).toEqual([...new Set(behaviours)]);
});

test.for(rowsOnMovedClock)('$behaviour', (row) => judgeRow(row));
