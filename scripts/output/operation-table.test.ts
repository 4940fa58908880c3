import { expect, test } from 'vitest';
import type { OperationRow } from '../../contract-tests/learn/learnt-findings.ts';
import { operationTable } from './operation-table.ts';

const rows: readonly OperationRow[] = [
  { name: 'create-site', call: 'POST /tenant/sites', state: 'certain', why: '' },
  { name: 'delete-site', call: 'DELETE /sites/{siteID}', state: 'to confirm', why: 'two others fit as well' },
  { name: 'list-keys', call: '', state: 'not found', why: 'click: open the list of API keys' },
];

test('has a row for each operation, whose columns are aligned', () => {
  expect(operationTable(rows, 100)).toEqual([
    '  create-site  POST /tenant/sites      certain',
    '  delete-site  DELETE /sites/{siteID}  to confirm: two others fit as well',
    '  list-keys                            not found; click: open the list of API keys',
  ]);
  expect(operationTable([], 100)).toEqual([]);
});

test('wraps verdicts, and gives a long call a line of its own', () => {
  const call = 'POST /tenant/sites/{siteID}/contents/{contentID}/publish';
  const long: OperationRow = { name: 'x', call, state: 'to confirm', why: 'its name says "batch"' };
  expect(operationTable([...rows, long], 64)).toEqual([
    '  create-site  POST /tenant/sites        certain',
    '  delete-site  DELETE /sites/{siteID}    to confirm: two others',
    '                                         fit as well',
    '  list-keys                              not found; click: open',
    '                                         the list of API keys',
    `  x            ${call}`,
    '                                         to confirm: its name',
    '                                         says "batch"',
  ]);
});

test('shows what a terminal or a log would obey, also where a line begins with it', () => {
  const why = `its path says ${'x'.repeat(30)} ::error::y\u202e`;
  const hostile: OperationRow = { name: 'ai', call: 'POST /ai\u001b[2J\nx', state: 'to confirm', why };
  const lines = operationTable([hostile], 60);
  expect(lines[0]).toContain('POST /ai\\u001b[2J\\nx');
  expect(lines.filter((line) => /^\s*::/.test(line))).toEqual([]);
  for (const hidden of ['\u001b', '\u202e']) expect(lines.join('')).not.toContain(hidden);
  expect(lines.some((line) => line.includes('error::y\\u202e'))).toBe(true);
});
