// @module-tag nightly
// These wait for minutes in all, so they wait at the same time.
import { test } from 'vitest';
import { judgeRow } from './judge-row.ts';
import { rowsInRealTime } from './rows.ts';

test.concurrent.for(rowsInRealTime)('$behaviour', { timeout: 240_000 }, (row) => judgeRow(row));
