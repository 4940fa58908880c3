import { visible, visibleJson } from '../../contract-tests/core/visible-text.ts';
import { visibleYaml } from '../../contract-tests/core/visible-yaml.ts';
import {
  DropRefused,
  type Migrated,
  openAdmin,
  type StoreAdmin,
  type StoreReport,
} from '../../mock/store/store-admin.ts';
import { StoreError } from '../../mock/store/store-error.ts';
import { fileOf } from '../../mock/store/store-url.ts';
import type { Given } from '../options/flags.ts';
import { readStore } from '../options/mock-options.ts';
import { UsageError } from '../options/usage-error.ts';

/** The exit code is 1 if this version cannot use the store. */
export function storeStatus(given: Given): Promise<number> {
  return look(given, async (admin, print) => {
    const report = await admin.report();
    print(storeView(report), storeLines(report));
    return report.problem === undefined ? 0 : 1;
  });
}

export function storeMigrate(given: Given): Promise<number> {
  return look(given, async (admin, print) => {
    const done = await admin.migrate();
    print(done, migratedLines(done));
    return 0;
  });
}

export async function storeDrop(given: Given): Promise<number> {
  if (!given.switched('yes'))
    throw new UsageError('drop deletes all worlds in the store; add --yes to confirm');
  return look(given, async (admin, print) => {
    const { worlds } = await admin.drop({ isForced: given.switched('force') });
    const removed = `deleted the tables and ${worlds} world${worlds === 1 ? '' : 's'}`;
    print({ worlds }, [worlds === 0 ? 'there were no tables' : removed]);
    return 0;
  });
}

type Print = (value: unknown, lines: readonly string[]) => void;

async function look(
  given: Given,
  work: (admin: StoreAdmin, print: Print) => Promise<number>,
): Promise<number> {
  const url = readStore(given);
  if (url === undefined)
    throw new UsageError('no store is given; pass --store, or set SITEPUB_STORE or SITEPUB_STORE_FILE');
  requireStore(url);
  const print: Print = (value, lines) =>
    console.log(given.switched('json') ? visibleJson(value) : lines.map(visible).join('\n'));
  let admin: StoreAdmin | undefined;
  try {
    admin = await openAdmin(url);
    return await work(admin, print);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    console.error(`sitepub: ${visible(error.message)}`);
    return error instanceof DropRefused ? 2 : 3;
  } finally {
    await admin?.close();
  }
}

/** Throws UsageError for an invalid URL. */
function requireStore(url: string): void {
  try {
    fileOf(url);
  } catch (error) {
    throw error instanceof StoreError ? new UsageError(error.message) : error;
  }
}

function migratedLines({ from, to, titles }: Migrated): string[] {
  if (titles.length === 0) return [`the tables already have version ${to}`];
  return [
    ...titles.map((title, index) => `${String(from + index + 1).padStart(3)}  ${title}`),
    `the tables now have version ${to}`,
  ];
}

/** For --json: contains all worlds. */
function storeView(report: StoreReport) {
  const { engine, place, tables, problem, replicas, worlds } = report;
  return {
    engine,
    place,
    tables,
    fits: problem === undefined,
    ...(problem !== undefined && { problem }),
    entries: worlds.reduce((sum, { entries }) => sum + entries, 0),
    pending: worlds.reduce((sum, { pending }) => sum + pending, 0),
    overdue_seconds: Math.max(0, ...worlds.map(({ overdueSeconds }) => overdueSeconds)),
    replicas: replicas.map(({ id, startedAt, seenSecondsAgo }) => ({
      id,
      started_at: timeOf(startedAt),
      seen_seconds_ago: seenSecondsAgo,
    })),
    worlds: worlds.map(({ name, entries, pending, overdueSeconds, expiresAt }) => ({
      name,
      entries,
      pending,
      overdue_seconds: overdueSeconds,
      expires_at: expiresAt === undefined ? null : timeOf(expiresAt),
    })),
  };
}

const mostWorlds = 20;

/** Shows only the worlds with the most entries. */
function storeLines(report: StoreReport): string[] {
  const view = storeView(report);
  const worlds = view.worlds.toSorted((one, other) => other.entries - one.entries).slice(0, mostWorlds);
  const hidden = view.worlds.length - worlds.length;
  const lines = visibleYaml({ ...view, worlds }, { lineWidth: 0 })
    .trimEnd()
    .split('\n');
  return hidden === 0 ? lines : [...lines, `# and ${hidden} more worlds; --json shows all`];
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
