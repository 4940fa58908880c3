// The report as JUnit XML: a suite for each group of requirements, a case for each check and for each requirement without checks.
import { type ShortfallGroup, sayShortfall, shortfallGroups } from './group-by-cause.ts';
import {
  commandOf,
  count,
  evidenceOf,
  outdatedEntries,
  promiseOf,
  sayExpected,
  sayObserved,
  sayPlace,
  sayValue,
} from './group-by-verdict.ts';
import { attribute, escapeXml } from './markup.ts';
import type { CheckResult, Report, RequirementReport, Warning } from './report.ts';

interface Case {
  kind: 'passed' | 'failure' | 'error' | 'skipped';
  xml: string;
}

interface Suite {
  name: string;
  cases: Case[];
}

/** Unverified requirements and expected failures count as skipped. */
export function junitReport(report: Report): string {
  const groups = Map.groupBy(report.requirements, ({ id }) => id.replace(/-\d+$/, ''));
  const suites: Suite[] = [...groups].map(([name, requirements]) => ({
    name,
    cases: requirements.flatMap(casesOf),
  }));
  const ended = outdatedEntries(report).map(caseOfOutdated);
  if (ended.length > 0) suites.push({ name: 'expected failures', cases: ended });
  const short = shortfallGroups(report).filter(({ kind }) => kind !== 'regressed');
  if (short.length > 0) suites.push({ name: 'demands', cases: short.map(caseOfShortfall) });
  const { warnings = [] } = report;
  if (warnings.length > 0) suites.push({ name: 'warnings', cases: warnings.map(caseOfWarning) });
  const notices = noticesOf(report);
  if (notices.length > 0) suites.push({ name: 'notices', cases: notices });
  const all = suites.flatMap(({ cases }) => cases);
  const name = `${commandOf(report)} ${report.target.base_url}, profile ${report.target.profile}`;
  const time = (report.duration_ms / 1000).toFixed(3);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attribute('name', name)}${totals(all)} time="${time}"${attribute('timestamp', report.started_at)}>`,
    ...suites.map((suite) => suiteXml(suite, report)),
    '</testsuites>\n',
  ].join('\n');
}

function suiteXml({ name, cases }: Suite, { started_at }: Report): string {
  return [
    `  <testsuite${attribute('name', name)}${totals(cases)}${attribute('timestamp', started_at)}>`,
    ...cases.map(({ xml }) => xml),
    '  </testsuite>',
  ].join('\n');
}

function totals(cases: readonly Case[]): string {
  const count = (kind: Case['kind']) => cases.filter((one) => one.kind === kind).length;
  return ` tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`;
}

function casesOf(requirement: RequirementReport): Case[] {
  const { id, title, checks, outcome, reason } = requirement;
  if (checks.length > 0) return checks.map((check) => caseOfCheck(check, requirement));
  const name = `${id} ${title}`;
  if (outcome === 'passed') return [oneCase('passed', [id, name])];
  return [oneCase('skipped', [id, name], `<skipped${attribute('message', `${reason}`)}/>`)];
}

function caseOfCheck(check: CheckResult, requirement: RequirementReport): Case {
  const { id, title } = requirement;
  const { outcome, reason, expected_failure, curl, duration_ms } = check;
  const rows = [
    ...promiseOf(requirement),
    ...evidenceOf(check),
    ...(curl === null ? [] : [['curl', curl] as const]),
  ];
  const context = `${id} (${sayPlace(requirement)}): ${title}`;
  const evidence = escapeXml([context, ...rows.map(([name, text]) => `${name}: ${text}`)].join('\n'));
  const message = attribute('message', `${reason}`);
  const names = [id, check.id, duration_ms] as const;
  if (outcome === 'passed') return oneCase('passed', names);
  if (outcome === 'not-verified' || outcome === 'not-applicable')
    return oneCase('skipped', names, `<skipped${message}/>`);
  if (expected_failure) {
    const why = attribute('message', `failed as expected: ${sayExpected(expected_failure)}`);
    return oneCase('skipped', names, `<skipped${why}/><system-out>${evidence}</system-out>`);
  }
  const [kind, type] =
    outcome === 'failed' ? (['failure', 'PromiseBroken'] as const) : (['error', 'SuiteError'] as const);
  return oneCase(kind, names, `<${kind}${message} type="${type}">${evidence}</${kind}>`);
}

function caseOfOutdated({ id, text }: { id: string; text: string }): Case {
  const failure = `<failure${attribute('message', text)} type="EntryOutOfDate"/>`;
  return oneCase('failure', ['expected failures', id], failure);
}

/** Without this case, a run that verified too little would look green. */
function caseOfShortfall(group: ShortfallGroup): Case {
  const failure = `<failure${attribute('message', sayShortfall(group))} type="LessVerified"/>`;
  return oneCase('failure', ['demands', `--${group.demand}`], failure);
}

/** JUnit has no warnings, so a warning is a passed case with output. */
function caseOfWarning({ id, reason, curl }: Warning): Case {
  const text = [`warning: ${reason}`, ...(curl === null ? [] : [`curl: ${curl}`])].join('\n');
  return oneCase('passed', ['warnings', id], `<system-out>${escapeXml(text)}</system-out>`);
}

/** Drift and remarks are passed cases with output. */
function noticesOf({ gaps, remarks }: Report): Case[] {
  const drifting = gaps.filter(({ outcome }) => outcome === 'drift');
  const rows = [
    ...drifting.map((gap) => [`drift ${gap.id}`, `expected ${sayValue(gap)}, observed ${sayObserved(gap)}`]),
    ...remarks.map(({ id, what, count: times, example }) => [
      `remark ${id}`,
      `${what} (${count(times, 'time')}): ${example}`,
    ]),
  ];
  return rows.map(([name = '', text = '']) =>
    oneCase('passed', ['notices', name], `<system-out>${escapeXml(text)}</system-out>`),
  );
}

type Names = readonly [classname: string, name: string, durationMs?: number | undefined];

function oneCase(kind: Case['kind'], [classname, name, durationMs = 0]: Names, inside = ''): Case {
  const time = (durationMs / 1_000).toFixed(3);
  const head = `    <testcase${attribute('classname', classname)}${attribute('name', name)} time="${time}"`;
  return { kind, xml: inside === '' ? `${head}/>` : `${head}>${inside}</testcase>` };
}
