// `npm run bench`: measures the mock against its goals (docs/explanation/performance.md). Missing a goal is not an error.
import { parseArgs } from 'node:util';
import { memory, start, suite } from './command-rows.ts';
import { dispatch, retries } from './push-rows.ts';
import { createWebhook, growth, login, sharedStore } from './request-rows.ts';
import type { Row } from './row.ts';

const rows: Readonly<Record<string, Row>> = {
  login,
  'create-webhook': createWebhook,
  dispatch,
  retries,
  start,
  memory,
  suite,
  growth,
  'shared-store': sharedStore,
};

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    // Rows, separated by commas.
    only: { type: 'string', default: Object.keys(rows).join(',') },
  },
});

const table: Record<string, string>[] = [];
for (const row of values.only.split(',')) {
  const measure = rows[row];
  if (!measure) throw new Error(`there is no row "${row}"; there are ${Object.keys(rows).join(', ')}`);
  console.error(`measuring ${row}`);
  for (const { mock, comparedWith = '', value, unit, most } of await measure(values.quick)) {
    const goal = `at most ${most}: ${value <= most ? 'ok' : 'short'}`;
    table.push({ row, mock, comparedWith, value: `${value.toFixed(2)} ${unit}`, goal });
  }
}
console.table(table);
