// `npm run bench`: compares the mock with its performance budget (docs/performance.md). A row that misses its budget is no failure.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { type Flags, type Given, listFlag, readFlagsOrHelp, switchFlag, textFlag } from '../options/flags.ts';
import { readNames } from '../options/read-names.ts';
import { runTool } from '../options/run-tool.ts';
import { drawGrowth, steepest } from './draw-growth.ts';
import { describeProfiles, writeProfilesTo } from './profiles.ts';
import type { Outcome, Row } from './row.ts';
import { coldStart, installedStart } from './rows/cold-start-row.ts';
import { watched } from './rows/console-row.ts';
import { dispatch } from './rows/dispatch-row.ts';
import { growthCalls } from './rows/growth-calls-row.ts';
import { growthPushes } from './rows/growth-pushes-row.ts';
import { growthViews } from './rows/growth-views-row.ts';
import { memory } from './rows/memory-row.ts';
import { createWebhook, login } from './rows/request-rows.ts';
import { retries } from './rows/retries-row.ts';
import { sharedStore } from './rows/shared-store-row.ts';
import { store } from './rows/store-row.ts';
import { suite, wholeSuite } from './rows/suite-row.ts';
import { formatTable } from './table.ts';

const rows: readonly Row[] = [
  login,
  createWebhook,
  watched,
  coldStart,
  installedStart,
  memory,
  dispatch,
  retries,
  suite,
  wholeSuite,
  store,
  sharedStore,
  growthPushes,
  growthCalls,
  growthViews,
];

const flags: Flags = {
  quick: switchFlag('fewer rounds and requests: to see whether everything works, not for figures'),
  only: listFlag('ROW…', `only these: ${rows.map(({ id }) => id).join(', ')}`),
  drawing: textFlag('FILE', 'SVG file of how costs grow, from the rows that measure it'),
  profiles: textFlag(
    'FOLDER',
    'CPU profiles of all processes, and what they spend their time on (figures do not count then)',
  ),
  out: textFlag('FILE', 'JSON file of all measurements (default: bench.json)'),
};

type Measured = Outcome & Pick<Row, 'id'>;

async function bench(args: readonly string[]): Promise<number> {
  // No environment variables: SITEPUB_ONLY is meant for another command.
  const given = readFlagsOrHelp(args, flags, { usage: 'npm run bench -- [flags]', environment: {} });
  if (!given) return 0;
  const chosen = chooseRows(given);
  const isQuick = given.switched('quick');
  const startedAt = new Date();
  const profiles = given.text('profiles');
  if (profiles !== undefined) {
    mkdirSync(profiles, { recursive: true });
    writeProfilesTo(profiles);
  }
  const measured: Measured[] = [];
  for (const { id, measure } of chosen) {
    console.error(`measuring ${id}`);
    measured.push({ id, ...(await measure({ isQuick })) });
  }
  console.log(formatTable(measured));
  if (profiles !== undefined) console.log(describeProfiles(profiles));
  const curves = measured.flatMap(({ curves = [] }) => steepest(curves));
  const drawing = given.text('drawing');
  if (drawing !== undefined) writeFileSync(drawing, drawGrowth(curves));
  writeFileSync(
    given.text('out') ?? 'bench.json',
    `${JSON.stringify(reportOf(measured, isQuick, startedAt), null, 1)}\n`,
  );
  return 0;
}

function chooseRows(given: Given): readonly Row[] {
  const ids = readNames(given, 'only', { known: rows.map(({ id }) => id), noun: 'row' });
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

await runTool('bench', bench);
