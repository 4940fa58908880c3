import { XMLParser } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import { readRequirements } from '../../openapi/registers.ts';
import { checks } from '../checks/index.ts';
import type { CheckOutcome, Outcome } from '../core/outcomes.ts';
import { gatherResult } from '../run/gather-result.ts';
import { exchangeOf, openContext } from '../testing.ts';
import { annotations } from './annotations.ts';
import { htmlReport } from './html.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';
import { type CheckResult, createReport, type Report, type RunResult } from './report.ts';
import { terminalReport } from './terminal.ts';
import { check, gapWith, noCounts, passed, reportOf as sampleWith, warning } from './testing.ts';

test('lists every requirement of the register once, in its order', () => {
  const { requirements } = reportOf({});
  expect(requirements.map(({ id }) => id)).toEqual(readRequirements().map(({ id }) => id));
});

test.for<[CheckOutcome[], Outcome]>([
  [['passed', 'passed'], 'passed'],
  [['passed', 'not-verified'], 'partly'],
  [['not-verified', 'not-applicable'], 'not-verified'],
  [['passed', 'not-applicable'], 'passed'],
  [['not-applicable'], 'not-verified'],
  [['not-verified', 'failed', 'passed'], 'failed'],
  [['failed', 'error', 'passed'], 'failed'],
  [['error', 'not-verified', 'passed'], 'error'],
  [[], 'not-verified'],
])('checks with outcomes %j make a requirement %s', ([outcomes, want]) => {
  const results = outcomes.map((outcome, index) => entry('HOOK-3', outcome, `because of ${index}`));
  const [hook] = reportOf({ results }).requirements.filter(({ id }) => id === 'HOOK-3');
  expect(hook).toMatchObject({ outcome: want, checks: results.map(({ result }) => result) });
});

test('takes the reason of the worst check', () => {
  const results = [
    entry('HOOK-3', 'passed', null),
    entry('HOOK-3', 'failed', 'one'),
    entry('HOOK-3', 'failed', 'two'),
  ];
  expect(reasonOf('HOOK-3', { results })).toBe('one');
});

const toReceivers =
  'applies to receivers, not to deployments; test your receiver with `sitepub test-receiver`';
const abort = { kind: 'unreachable', reason: 'nothing answers' } as const;

test.for<[string, Partial<RunResult>, string]>([
  ['RECV-1', {}, toReceivers],
  ['HOOK-3', {}, 'left out by --only or --skip'],
  ['HOOK-3', { abort }, 'nothing answers'],
  ['HOOK-3', { checked: [] }, 'no check exists yet'],
  // The run ended before its checks were loaded.
  ['HOOK-3', { checked: [], abort }, 'nothing answers'],
  ['RECV-1', { checked: [], abort }, toReceivers],
])('%s says why no check ran', ([id, run, want]) => {
  expect(reasonOf(id, run)).toBe(want);
});

test('counts requirements by outcome, and drifting gaps', () => {
  const report = reportOf({
    results: [entry('HOOK-1', 'passed'), entry('HOOK-2', 'failed'), entry('HOOK-3', 'error')],
    gaps: [gapWith('201', 'drift'), gapWith('200', 'agrees')],
  });
  expect(report.summary).toEqual({ passed: 1, failed: 1, partly: 0, warned: 1, not_verified: 78, error: 1 });
});

test('states target, version and time', () => {
  expect(reportOf({ requests: 7 })).toMatchObject({
    schema: 2,
    tool: { name: 'sitepub', version: '1.2.3' },
    target: { base_url: 'http://127.0.0.1:9/api/v1', profile: 'default' },
    started_at: '2026-01-02T03:04:05.000Z',
    requests: 7,
    aborted: null,
  });
});

test('gathers all operations, called or not, with their statuses', () => {
  const context = openContext();
  context.exchanges.push(
    exchangeOf({ code: 1 }, { status: 404 }),
    exchangeOf({ code: 0 }, { status: 200 }),
    exchangeOf({ code: 1 }, { status: 404 }),
  );
  const { requests, coverage } = gatherResult(context);
  expect(requests).toBe(3);
  expect(coverage.map(({ operation }) => operation)).toEqual([...context.operations.keys()]);
  expect(coverage[0]).toEqual({ operation: 'login', statuses: [], requests: 0 });
  expect(coverage.filter((one) => one.requests > 0)).toEqual([
    { operation: 'testSubscription', statuses: [200, 404], requests: 3 },
  ]);
});

test('redacts the target and the reason of an early end', () => {
  const options = {
    ...described.options,
    apiKey: 'sp_secret',
    baseUrl: 'http://127.0.0.1:9/sp_secret/api/v1',
    profile: { name: 'sp_secret', stated: {} },
  };
  const abort = { kind: 'unreachable', reason: 'no answer from sp_secret' } as const;
  const report = createReport(runWith({ abort, results: [entry('HOOK-3', 'not-verified', abort.reason)] }), {
    ...described,
    options,
  });
  expect(report.target).toEqual({
    base_url: 'http://127.0.0.1:9/{SITEPUB_API_KEY}/api/v1',
    profile: '{SITEPUB_API_KEY}',
  });
  expect(report.aborted?.reason).toBe('no answer from {SITEPUB_API_KEY}');
  expect(JSON.stringify(report)).not.toContain('sp_secret');
});

test('redacts all that a run gathers, even tokens that no check read', () => {
  const [key, token] = ['sp_secret', 'st_0123456789abcdef'];
  const context = openContext({ apiKey: key, recordsExchanges: true });
  const answer = exchangeOf({ code: 0, somewhere: token });
  const headers = { 'x-sp_secret': '1', 'content-type': 'text/sp_secret' };
  const request = { ...answer.request, url: 'http://127.0.0.1:9/x?sp_secret=1' };
  const response = { ...answer.response, headers };
  context.exchanges.push({ ...answer, operation: 'login', request, response });
  context.observations.drifts('login.token', `nothing there but ${key} and ${token}`);
  const target = 'http://x/sp_secret';
  const created = context.resources.announce({ what: 'subscription', site: 101, target, tenant: 'main' });
  created({ ...exchangeOf({ code: 0 }), values: { id: key } });
  context.notes.push(`a note on ${key}`);
  const reason = `the sites of this user are ${key} and ${token}`;
  const gathered = gatherResult(context, { kind: 'usage', reason });
  expect(gathered).toMatchObject({
    abort: { kind: 'usage', reason: 'the sites of this user are {SITEPUB_API_KEY} and {SITEPUB_TOKEN}' },
    notes: ['a note on {SITEPUB_API_KEY}'],
    leftovers: [{ id: '{SITEPUB_API_KEY}', target: 'http://x/{SITEPUB_API_KEY}' }],
  });
  const text = JSON.stringify(gathered);
  expect(text).not.toMatch(/sp_secret|st_0123456789abcdef/);
  expect(text).toContain('nothing there but {SITEPUB_API_KEY} and {SITEPUB_TOKEN}');
});

const described = {
  options: openContext().options,
  version: '1.2.3',
  startedAt: new Date('2026-01-02T03:04:05Z'),
};

function reportOf(run: Partial<RunResult>) {
  return createReport(runWith(run), described);
}

function reasonOf(id: string, run: Partial<RunResult>) {
  return reportOf(run).requirements.find((requirement) => requirement.id === id)?.reason;
}

function runWith(run: Partial<RunResult>): RunResult {
  const checked = checks.map(({ requirement }) => requirement);
  return {
    results: [],
    checked,
    abort: undefined,
    gaps: [],
    remarks: [],
    coverage: [],
    leftovers: [],
    requests: 0,
    notes: [],
    ...run,
  };
}

function entry(requirement: string, outcome: CheckOutcome, reason: string | null = null) {
  const result: CheckResult = { id: `${requirement.toLowerCase()}-x`, outcome, ...check, reason };
  return { requirement, result };
}

const target: Report['target'] = { base_url: 'http://127.0.0.1:9/hook', profile: 'none', kind: 'receiver' };
const summary = { ...noCounts, passed: 1, warned: 1 };
const report = sampleWith({ target, summary, requirements: [passed], warnings: [warning] });
const title = 'Advice not followed by the receiver';

const terminal = (one: Report) => terminalReport(one, { colour: false });

test.for([
  ['terminal', terminal, `\n${title} (warnings, not failures):\n~ advice-chunked\n`],
  ['terminal', terminal, '  actual   HTTP 400 <no length>\n'],
  ['terminal', terminal, 'sitepub test-receiver  http://127.0.0.1:9/hook  profile none\n'],
  ['terminal', terminal, ', 1 warning ('],
  ['terminal', terminal, 'Before you run the curl lines: export SITEPUB_WEBHOOK_SECRET'],
  ['markdown', markdownReport, `## ${title} (warnings)\n\n**advice-chunked** expected a 2xx status`],
  ['markdown', markdownReport, '| warnings | 1 |'],
  ['html', htmlReport, `<h2>${title} <span class="number">1</span></h2>`],
  ['html', htmlReport, '<dd class="any">HTTP 400 &#60;no length&#62;</dd>'],
  ['html', htmlReport, '<a class="count drift" href="#warnings" data-filter="drift"><b>1</b>'],
  [
    'junit',
    junitReport,
    '<testcase classname="warnings" name="advice-chunked" time="0.000"><system-out>warning: expected',
  ],
  ['junit', junitReport, 'name="sitepub test-receiver http://127.0.0.1:9/hook, profile none"'],
] as const)('%s shows a warning: %$', ([, format, text]) => {
  expect(format(report)).toContain(text);
});

test('a warning is neither an annotation nor a failure', () => {
  expect(annotations(report)).toBe('');
  expect(junitReport(report)).toContain(' failures="0" errors="0" skipped="0"');
});

test('escapes a hostile warning', () => {
  const hostile = '</dd><script>alert(1)</script>\n# x\n```\n::error::\u001b[2J ]]>&';
  const spoilt = { ...warning, reason: hostile, expected: hostile, actual: hostile, curl: hostile };
  const given = { ...report, warnings: [spoilt] };
  expect(htmlReport(given)).not.toContain('<script>alert');
  expect(new XMLParser().parse(junitReport(given), true)).toHaveProperty('testsuites');
  expect(terminal(given)).not.toContain('\u001b');
  expect(terminal(given)).not.toMatch(/^(# x|::error)/m);
  expect(markdownReport(given)).toContain('\n````sh\n');
});
