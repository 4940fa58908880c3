// What `sitepub store status` shows.
import type { StoreReport, WorldReport } from '../../mock/store/store-admin.ts';
import { columns } from '../screen/columns.ts';

/** So many worlds are listed for people, those with the most entries first. */
const mostWorlds = 20;

/** As JSON: with all worlds. */
export function storeView(report: StoreReport): Record<string, unknown> {
  const { engine, place, tables, problem, replicas, worlds } = report;
  return {
    engine,
    place,
    tables,
    fits: problem === undefined,
    ...(problem !== undefined && { problem }),
    ...sums(worlds),
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

export function storeLines(report: StoreReport): string[] {
  const { engine, place, tables, problem, replicas, worlds } = report;
  const { entries, pending, overdue_seconds: overdue } = sums(worlds);
  const version = tables.version === 0 ? 'none' : `version ${tables.version}`;
  const head = [`engine    ${engine}, ${place}`, `tables    ${version}; this sitepub has ${tables.known}`];
  if (problem !== undefined) return [...head, `problem   ${problem}`];
  const mocks = replicas.map(
    ({ id, startedAt, seenSecondsAgo }) =>
      `          ${id}, since ${timeOf(startedAt)}, seen ${Math.round(seenSecondsAgo)} s ago`,
  );
  return [
    ...head,
    ...(engine === 'SQLite' ? [] : [`mocks     ${replicas.length} seen in the last minute`, ...mocks]),
    `worlds    ${worlds.length}, with ${entries} entries`,
    `pushes    ${pending} waiting`,
    `late by   ${Math.round(overdue)} s`,
    '',
    ...worldLines(worlds),
  ];
}

function sums(worlds: readonly WorldReport[]) {
  return {
    entries: worlds.reduce((sum, { entries }) => sum + entries, 0),
    pending: worlds.reduce((sum, { pending }) => sum + pending, 0),
    overdue_seconds: Math.max(0, ...worlds.map(({ overdueSeconds }) => overdueSeconds)),
  };
}

function worldLines(worlds: readonly WorldReport[]): string[] {
  const shown = [...worlds].sort((one, other) => other.entries - one.entries).slice(0, mostWorlds);
  const rows = shown.map(({ name, entries, pending, overdueSeconds, expiresAt }) => [
    ...[name, String(entries), String(pending), `${Math.round(overdueSeconds)} s`],
    expiresAt === undefined ? 'never' : timeOf(expiresAt),
  ]);
  const left = worlds.length - shown.length;
  return [
    ...columns([['world', 'entries', 'pushes', 'late by', 'expires'], ...rows]),
    ...(left > 0 ? [`and ${left} more, which --json shows`] : []),
  ];
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
