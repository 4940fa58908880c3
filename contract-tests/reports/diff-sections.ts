// A comparison of two reports in the words and the order in which people read it; every format of `sitepub diff` is made from it.
import { isDeepStrictEqual } from 'node:util';
import {
  type Change,
  type Comparison,
  type GapChange,
  gapChangeKinds,
  type TimesChange,
} from './comparison.ts';
import { type DiffWords, overTime } from './diff-words.ts';
import { count, sayObserved, sayRequests, sayTime, sayValue, signs } from './group-by-verdict.ts';

interface Line {
  sign: string;
  id: string;
  title: string;
  /** From which outcome to which, and why; "" where there is nothing to say. */
  detail: string;
}

export interface DiffSection {
  title: string;
  lines: Line[];
}

/** The sections that have something in them, the worst first. */
export function diffSections(comparison: Comparison, words: DiffWords = overTime): DiffSection[] {
  const { regressed, no_longer_verified, newly_failed, still_failing, newly_passed, notices } = comparison;
  const { titles } = words;
  // Drift is told with the gaps.
  const noticeLines = (some: Comparison['notices']['new']): Line[] =>
    some
      .filter(({ kind }) => kind === 'remark')
      .map(({ kind, id, example }) => ({ sign: '~', id, title: kind, detail: example }));
  const of = (title: string, changes: readonly Change[]) => ({
    title,
    lines: changes.map((change) => changeLine(change, words)),
  });
  const sections = [
    of(titles.regressed, regressed),
    of(titles.newly_failed, newly_failed),
    of(titles.no_longer_verified, no_longer_verified),
    of(titles.still_failing, still_failing),
    of(titles.newly_passed, newly_passed),
    ...gapChangeKinds.map((kind) => ({
      title: words.gaps[kind],
      lines: comparison.gaps.filter((gap) => gap.kind === kind).map((gap) => gapLine(gap, words)),
    })),
    { title: titles.new, lines: noticeLines(notices.new) },
    { title: titles.gone, lines: noticeLines(notices.gone) },
    { title: titles.slower, lines: comparison.times.slower.map((one) => timesLine(one, words)) },
    { title: titles.faster, lines: comparison.times.faster.map((one) => timesLine(one, words)) },
  ];
  return sections.filter(({ lines }) => lines.length > 0);
}

/** The comparison in a sentence. */
export function diffHeadline(comparison: Comparison, words: DiffWords = overTime): string {
  const kinds = ['regressed', 'newly_failed', 'no_longer_verified', 'newly_passed'] as const;
  const said = kinds
    .filter((kind) => comparison[kind].length > 0)
    .map((kind) => `${comparison[kind].length} ${words.counted[kind]}`);
  const { gaps, times } = comparison;
  const others = [
    ...(gaps.length > 0 ? [`${count(gaps.length, 'gap')} filled otherwise`] : []),
    ...(times.slower.length > 0 ? [`${count(times.slower.length, 'operation')} slower`] : []),
    ...(times.faster.length > 0 ? [`${count(times.faster.length, 'operation')} faster`] : []),
  ];
  const head = said.length > 0 ? said.join(', ') : words.same;
  return others.length > 0 ? `${head}; ${others.join(', ')}` : head;
}

/** The two runs that are compared, each in a line. */
export function diffRuns({ before, after }: Comparison, words: DiffWords = overTime): [string, string][] {
  return [
    [words.runs[0], sayRun(before)],
    [words.runs[1], sayRun(after)],
  ];
}

function sayRun(run: Comparison['before']): string {
  const { target, started_at, summary, version, aborted } = run;
  const { passed, failed, partly, not_verified } = summary;
  const counts = `${passed} passed, ${failed} failed, ${partly} partly, ${not_verified} not verified`;
  const ended = aborted ? `; it ended early: ${aborted.reason}` : '';
  return `${sayTime(started_at)}  ${target.base_url}  profile ${target.profile}  sitepub ${version}: ${counts} (${sayRequests(run)})${ended}`;
}

function changeLine(change: Change, words: DiffWords): Line {
  const { id, title, before, after, reason, checks, accepted } = change;
  const isGood = after === 'passed';
  const why = [
    checks.length > 0 ? sayChecks(checks) : '',
    isGood ? '' : (reason ?? ''),
    accepted === null ? '' : `accepted: ${accepted}`,
  ].filter(Boolean);
  const detail = [words.outcomes(before ?? 'unknown', after ?? 'unknown'), ...why].join('; ');
  return { sign: after === null ? signs['not-verified'].sign : signs[after].sign, id, title, detail };
}

/** The checks that make a change; all of them are in the JSON form. */
function sayChecks(checks: readonly string[]): string {
  const [first = ''] = checks;
  return checks.length > 1 ? `${first} and ${count(checks.length - 1, 'more check')}` : first;
}

function gapLine({ id, before, after }: GapChange, { there, outcomes }: DiffWords): Line {
  const [then, now] = [before && sayValue({ id, ...before }), after && sayValue({ id, ...after })];
  const source = (after ?? before)?.source === 'profile' ? 'the profile says' : 'the default is';
  const isSame = !before || !after || isDeepStrictEqual(before.value, after.value);
  const title = isSame
    ? `${source} ${now ?? then}`
    : `${source} ${now}, ${there} ${then === now ? 'another' : then}`;
  const seen = (state: GapChange['before']) =>
    state && state.observed !== null ? sayObserved({ id, ...state }) : 'nothing';
  const isSeen = (before?.observed ?? after?.observed ?? null) !== null;
  const detail = isSeen ? `observed ${outcomes(seen(before), seen(after))}` : 'not observed';
  return { sign: '~', id, title, detail };
}

function timesLine({ operation, before, after }: TimesChange, { outcomes }: DiffWords): Line {
  const said = (by: 'median_ms' | 'p95_ms') => outcomes(`${before[by]} ms`, `${after[by]} ms`);
  return {
    sign: '~',
    id: operation,
    title: `median ${said('median_ms')}`,
    detail: `95th percentile ${said('p95_ms')}; of ${before.calls} and ${after.calls} accepted calls`,
  };
}

/** What is to be known of two reports before they are compared: that they are about different deployments or profiles, of one run, or the wrong way round. */
export function sayDifference({ before, after }: Comparison): string | undefined {
  const { base_url, profile } = before.target;
  const differs = [
    base_url !== after.target.base_url && 'address',
    profile !== after.target.profile && 'profile',
  ].filter((one) => one !== false);
  if (differs.length > 0) return `The two runs differ in ${differs.join(' and ')}.`;
  if (isDeepStrictEqual(before, after)) return 'Both reports are of the same run.';
  return Date.parse(before.started_at) > Date.parse(after.started_at)
    ? 'The first report is of the later run; give the older one first.'
    : undefined;
}
