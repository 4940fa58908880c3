// What `sitepub mock store status` shows.
import { visibleYaml } from '../../contract-tests/core/visible-yaml.ts';
import type { StoreReport } from '../../mock/store/store-admin.ts';

/** For programs: with all worlds. */
export function storeView(report: StoreReport) {
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

/** For people: with the worlds that have the most entries. */
export function storeLines(report: StoreReport): string[] {
  const view = storeView(report);
  const worlds = view.worlds.toSorted((one, other) => other.entries - one.entries).slice(0, mostWorlds);
  const hidden = view.worlds.length - worlds.length;
  const lines = visibleYaml({ ...view, worlds }, { lineWidth: 0 })
    .trimEnd()
    .split('\n');
  return hidden === 0 ? lines : [...lines, `# and ${hidden} more worlds, which --json shows`];
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
