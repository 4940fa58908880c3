// The sections, headline and run lines that all formats of `sitepub report diff` show.
import { isDeepStrictEqual } from 'node:util';
import {
  type Change,
  type Comparison,
  type GapChange,
  type GapChangeKind,
  gapChangeKinds,
  type TimesChange,
} from './comparison.ts';
import { count, sayObserved, sayRequests, sayTime, sayValue, signs } from './group-by-verdict.ts';

interface Line {
  sign: string;
  id: string;
  title: string;
  /** The old and new outcome and the reason; "" if there are none. */
  detail: string;
}

export interface DiffSection {
  title: string;
  lines: Line[];
}

const gapTitles: Readonly<Record<GapChangeKind, string>> = {
  drifts: 'New drift',
  'observed-otherwise': 'Observed differently than before',
  value: 'Gaps with a changed value',
  'drift-gone': 'Resolved drift',
  'newly-observed': 'Newly observed',
  'no-longer-observed': 'No longer observed',
};

const counted = {
  regressed: 'regressed',
  newly_failed: 'newly failed',
  no_longer_verified: 'no longer verified',
  newly_passed: 'newly verified',
} as const;

/** The sections that are not empty, the worst first. */
export function diffSections(comparison: Comparison): DiffSection[] {
  const { regressed, no_longer_verified, newly_failed, still_failing, newly_passed, notices } = comparison;
  // Drift is listed with the gaps.
  const noticeLines = (some: Comparison['notices']['new']): Line[] =>
    some
      .filter(({ kind }) => kind === 'remark')
      .map(({ kind, id, example }) => ({ sign: '~', id, title: kind, detail: example }));
  const of = (title: string, changes: readonly Change[]) => ({ title, lines: changes.map(changeLine) });
  const sections = [
    of('Regressed: passed before, fails now', regressed),
    of('Newly failed: not verified before', newly_failed),
    of('No longer verified', no_longer_verified),
    of('Still failing', still_failing),
    of('Newly verified', newly_passed),
    ...gapChangeKinds.map((kind) => ({
      title: gapTitles[kind],
      lines: comparison.gaps.filter((gap) => gap.kind === kind).map(gapLine),
    })),
    { title: 'New notices', lines: noticeLines(notices.new) },
    { title: 'Notices no longer seen', lines: noticeLines(notices.gone) },
    { title: 'Slower', lines: comparison.times.slower.map(timesLine) },
    { title: 'Faster', lines: comparison.times.faster.map(timesLine) },
  ];
  return sections.filter(({ lines }) => lines.length > 0);
}

export function diffHeadline(comparison: Comparison): string {
  const kinds = ['regressed', 'newly_failed', 'no_longer_verified', 'newly_passed'] as const;
  const said = kinds
    .filter((kind) => comparison[kind].length > 0)
    .map((kind) => `${comparison[kind].length} ${counted[kind]}`);
  const { gaps, times } = comparison;
  const others = [
    ...(gaps.length > 0 ? [`${count(gaps.length, 'gap')} changed`] : []),
    ...(times.slower.length > 0 ? [`${count(times.slower.length, 'operation')} slower`] : []),
    ...(times.faster.length > 0 ? [`${count(times.faster.length, 'operation')} faster`] : []),
  ];
  const head = said.length > 0 ? said.join(', ') : 'No requirement changed';
  return others.length > 0 ? `${head}; ${others.join(', ')}` : head;
}

/** One line for each of the two runs. */
export function diffRuns({ before, after }: Comparison): [string, string][] {
  return [
    ['before', sayRun(before)],
    ['now', sayRun(after)],
  ];
}

function sayRun(run: Comparison['before']): string {
  const { target, started_at, summary, version, aborted } = run;
  const { passed, failed, partly, not_verified } = summary;
  const counts = `${passed} passed, ${failed} failed, ${partly} partly, ${not_verified} not verified`;
  const ended = aborted ? `; ended early: ${aborted.reason}` : '';
  return `${sayTime(started_at)}  ${target.base_url}  profile ${target.profile}  sitepub ${version}: ${counts} (${sayRequests(run)})${ended}`;
}

function changeLine(change: Change): Line {
  const { id, title, before, after, reason, checks, accepted } = change;
  const isGood = after === 'passed';
  const why = [
    checks.length > 0 ? sayChecks(checks) : '',
    isGood ? '' : (reason ?? ''),
    accepted === null ? '' : `accepted: ${accepted}`,
  ].filter(Boolean);
  const detail = [fromTo(before ?? 'unknown', after ?? 'unknown'), ...why].join('; ');
  return { sign: after === null ? signs['not-verified'].sign : signs[after].sign, id, title, detail };
}

function fromTo(before: string, after: string): string {
  return `${before} → ${after}`;
}

/** The first of the changed checks; the JSON format lists all. */
function sayChecks(checks: readonly string[]): string {
  const [first = ''] = checks;
  return checks.length > 1 ? `${first} and ${count(checks.length - 1, 'more check')}` : first;
}

function gapLine({ id, before, after }: GapChange): Line {
  const [then, now] = [before && sayValue({ id, ...before }), after && sayValue({ id, ...after })];
  const source = (after ?? before)?.source === 'profile' ? 'the profile says' : 'the default is';
  const isSame = !before || !after || isDeepStrictEqual(before.value, after.value);
  const title = isSame
    ? `${source} ${now ?? then}`
    : `${source} ${now}, previously ${then === now ? 'a different value' : then}`;
  const seen = (state: GapChange['before']) =>
    state && state.observed !== null ? sayObserved({ id, ...state }) : 'nothing';
  const isSeen = (before?.observed ?? after?.observed ?? null) !== null;
  const detail = isSeen ? `observed ${fromTo(seen(before), seen(after))}` : 'not observed';
  return { sign: '~', id, title, detail };
}

function timesLine({ operation, before, after }: TimesChange): Line {
  const said = (by: 'median_ms' | 'p95_ms') => fromTo(`${before[by]} ms`, `${after[by]} ms`);
  return {
    sign: '~',
    id: operation,
    title: `median ${said('median_ms')}`,
    detail: `95th percentile ${said('p95_ms')}; accepted calls ${fromTo(`${before.calls}`, `${after.calls}`)}`,
  };
}

/** A warning if the reports are about different deployments or profiles, about the same run, or in the wrong order. */
export function sayDifference({ before, after }: Comparison): string | undefined {
  const { base_url, profile } = before.target;
  const differs = [
    base_url !== after.target.base_url && 'address',
    profile !== after.target.profile && 'profile',
  ].filter((one) => one !== false);
  if (differs.length > 0) return `The two runs differ in ${differs.join(' and ')}.`;
  if (isDeepStrictEqual(before, after)) return 'Both reports describe the same run.';
  return Date.parse(before.started_at) > Date.parse(after.started_at)
    ? 'The first report is newer than the second. Pass the older report first.'
    : undefined;
}
