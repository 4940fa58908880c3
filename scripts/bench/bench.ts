// `npm run bench`: measures the mock and compares it with its goals (docs/performance.md). A row that falls short is no failure.
import { type Flags, type Given, listFlag, switchFlag } from '../options/flags.ts';
import { readNames } from '../options/read-values.ts';
import { runTool } from '../options/run-tool.ts';
import type { Row } from './row.ts';
import { memory, start, suite } from './rows/command-rows.ts';
import { dispatch, retries } from './rows/push-rows.ts';
import { createWebhook, growth, login, sharedStore } from './rows/request-rows.ts';

const rows: readonly Row[] = [
  ...[login, createWebhook, dispatch, retries, start, memory, suite],
  ...[growth, sharedStore],
];
const ids = rows.map(({ id }) => id);

const flags: Flags = {
  quick: switchFlag('fewer rounds and requests: to see whether everything works, not for figures'),
  only: listFlag('ROW…', `only these: ${ids.join(', ')}`),
};

async function bench(given: Given): Promise<number> {
  const only = readNames(given, 'only', { known: ids, noun: 'row' });
  const table: Record<string, string>[] = [];
  for (const { id, measure } of rows.filter((row) => only.length === 0 || only.includes(row.id))) {
    console.error(`measuring ${id}`);
    for (const { mock, beside = '', value, unit, most } of await measure({
      isQuick: given.switched('quick'),
    }))
      table.push({
        ...{ row: id, mock, beside, value: `${value.toFixed(2)} ${unit}` },
        goal: `at most ${most}: ${value <= most ? 'ok' : 'short'}`,
      });
  }
  console.table(table);
  return 0;
}

await runTool('bench', flags, bench);
