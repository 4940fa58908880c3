// Notices of a run, which fail nothing unless --fail-on names them.
import { remarkTitles } from '../../contract-tests/deployment/remarks.ts';
import { count } from '../../contract-tests/reports/group-by-verdict.ts';
import type { Report } from '../../contract-tests/reports/report.ts';
import { gaps } from '../../openapi/registers.ts';

/** What --fail-on may name: drift of any gap, a gap, or a remark. */
export const noticeNames: readonly string[] = [
  'drift',
  ...Object.keys(remarkTitles),
  ...gaps.map(({ id }) => id),
];

/** The notices of a report that are among the given names, each in a few words. */
export function noticesNamed(names: readonly string[], { gaps: seen, remarks }: Report): string[] {
  const drifting = seen.filter(
    ({ id, outcome }) => outcome === 'drift' && (names.includes('drift') || names.includes(id)),
  );
  return [
    ...drifting.map(({ id }) => `drift of ${id}`),
    ...remarks
      .filter(({ id }) => names.includes(id))
      .map(({ id, count: times }) => `${id} (${count(times, 'time')})`),
  ];
}
