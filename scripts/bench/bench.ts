// `npm run bench`: holds the mock against its performance budget (docs/performance.md). That it falls short is no failure of the bench.
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { describeFlags, type Flags, type Given, readFlags } from '../options/flags.ts';
import { UsageError } from '../options/usage-error.ts';
import type { Outcome, Row } from './row.ts';
import { rows } from './rows.ts';
import { formatTable } from './table.ts';

const flags: Flags = {
  quick: { kind: 'switch', help: 'fewer rounds and requests: to see whether all works, not for figures' },
  only: { kind: 'list', value: 'ROW…', help: `only these: ${rows.map(({ id }) => id).join(', ')}` },
  out: {
    kind: 'text',
    value: 'FILE',
    help: 'where all that was measured is written as JSON (default: bench.json)',
  },
  help: { kind: 'switch', help: 'show this' },
};

type Measured = Outcome & Pick<Row, 'id'>;

async function bench(args: readonly string[]): Promise<number> {
  // Flags alone: SITEPUB_ONLY is meant for another command.
  const given = readFlags(args, flags, {});
  if (given.switched('help')) {
    console.log(`npm run bench -- [flags]\n\n${describeFlags(flags)}`);
    return 0;
  }
  const chosen = chooseRows(given);
  const isQuick = given.switched('quick');
  const startedAt = new Date();
  const measured: Measured[] = [];
  for (const { id, measure } of chosen) {
    console.error(`measuring ${id}`);
    measured.push({ id, ...(await measure({ isQuick })) });
  }
  console.log(formatTable(measured));
  writeFileSync(
    given.text('out') ?? 'bench.json',
    `${JSON.stringify(reportOf(measured, isQuick, startedAt), null, 1)}\n`,
  );
  return 0;
}

function chooseRows(given: Given): readonly Row[] {
  const ids = given.list('only');
  const unknown = ids.find((id) => !rows.some((row) => row.id === id));
  if (unknown !== undefined)
    throw new UsageError(
      `--only: there is no row "${unknown}"; there are ${rows.map(({ id }) => id).join(', ')}`,
    );
  return ids.length === 0 ? rows : rows.filter(({ id }) => ids.includes(id));
}

function reportOf(measured: readonly Measured[], isQuick: boolean, startedAt: Date): object {
  const processors = cpus();
  return {
    date: startedAt.toISOString(),
    node: process.versions.node,
    cpu: { model: processors[0]?.model ?? 'unknown', count: processors.length },
    quick: isQuick,
    rows: measured,
  };
}

try {
  process.exitCode = await bench(process.argv.slice(2));
} catch (error) {
  const isUsage = error instanceof UsageError;
  console.error(`bench: ${isUsage ? error.message : error instanceof Error ? error.stack : String(error)}`);
  process.exitCode = isUsage ? 2 : 4;
}
