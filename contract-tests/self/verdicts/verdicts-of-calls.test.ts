// @module-tag ci
import { expect, test } from 'vitest';
import { callRowsOnMovedClock, rows } from './rows.ts';
import { judgeRow } from './verdict-row.ts';

test('has no behaviour twice', () => {
  const behaviours = rows.map(({ behaviour }) => behaviour);
  expect(behaviours).toEqual([...new Set(behaviours)]);
});

test.for(callRowsOnMovedClock)('$behaviour', (row) => judgeRow(row));
