// `npm run bench`: measures the mock and compares it with its goals (docs/performance.md). A row that falls short is no failure.
import { type Flags, listFlag, readFlagsOrHelp, switchFlag } from '../options/flags.ts';
import { readNames } from '../options/read-names.ts';
import { runTool } from '../options/run-tool.ts';
import { memory, start, suite } from './commands.ts';
import { dispatch, retries } from './pushes.ts';
import { createWebhook, growth, login, sharedStore } from './requests.ts';
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
const ids = Object.keys(rows);

const flags: Flags = {
  quick: switchFlag('fewer rounds and requests: to see whether everything works, not for figures'),
  only: listFlag('ROW…', `only these: ${ids.join(', ')}`),
};

async function bench(args: readonly string[]): Promise<number> {
  // No environment variables: SITEPUB_ONLY is meant for another command.
  const given = readFlagsOrHelp(args, flags, { usage: 'npm run bench -- [flags]', environment: {} });
  if (!given) return 0;
  const only = readNames(given, 'only', { known: ids, noun: 'row' });
  const table: Record<string, string>[] = [];
  for (const [row, measure] of Object.entries(rows)) {
    if (only.length > 0 && !only.includes(row)) continue;
    console.error(`measuring ${row}`);
    for (const { mock, beside = '', value, unit, most } of await measure(given.switched('quick'))) {
      const goal = `at most ${most}: ${value <= most ? 'ok' : 'short'}`;
      table.push({ row, mock, beside, value: `${value.toFixed(2)} ${unit}`, goal });
    }
  }
  console.table(table);
  return 0;
}

await runTool('bench', bench);
