// @module-tag nightly
// Concurrent, because these tests mostly wait.
import { test } from 'vitest';
import { rowsInRealTime } from './rows.ts';
import { judgeRow } from './verdict-row.ts';

test.concurrent.for(rowsInRealTime)('$behaviour', { timeout: 240_000 }, (row) => judgeRow(row));
