// @module-tag ci
import { test } from 'vitest';
import { pushRowsOnMovedClock } from './rows.ts';
import { judgeRow } from './verdict-row.ts';

test.for(pushRowsOnMovedClock)('$behaviour', (row) => judgeRow(row));
