import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { htmlReport } from './html.ts';
import type { Report } from './report.ts';
import { noCounts, passed, reportOf, sample, sampleWith, unclear } from './testing.ts';

test('allows only its own script and style', () => {
  const page = htmlReport(sample);
  const hash = (name: string) =>
    `sha256-${createHash('sha256')
      .update(between(page, `<${name}>`, `</${name}>`))
      .digest('base64')}`;
  expect(plain(between(page, '<meta http-equiv="Content-Security-Policy" content="', '"'))).toBe(
    `default-src 'none'; style-src '${hash('style')}'; script-src '${hash('script')}'; base-uri 'none'; form-action 'none'`,
  );
  expect(page).not.toMatch(/ (style|src|on\w+)=|<link|@import|url\(/);
});

test('puts failures first, then errors, and passed requirements last', () => {
  const page = htmlReport(sample);
  expect(allOf(/data-verdict="([^"]+)"/g, page)).toEqual([
    'failed',
    'error',
    'expected',
    'not-verified',
    'partly',
    'passed',
  ]);
  expect(allOf(/<details class="requirement [^"]*" id="([^"]*)"/g, page)).toEqual([
    'HOOK-4',
    'SIG-1',
    'HOOK-7',
    'AUTH-3',
    'LIMIT-8',
    'ENV-1',
  ]);
  expect(allOf(/<details class="requirement [^"]*" id="([^"]*)" open>/g, page)).toEqual(['HOOK-4', 'SIG-1']);
});

test.for([
  ['The deployment breaks 1 promise'],
  ['Target http://127.0.0.1:9/api/v1'],
  ['Profile acme'],
  ['Started 2026-01-02 03:04:05 UTC'],
  ['Traffic 42 requests in 1.2 s'],
  ['known.yaml:2: ENV-1 passed, so its entry is stale; remove it'],
  ['✗ failed HOOK-4 Another channel is refused'],
  ['expected the channel "slack" to be refused (a code other than 0)'],
  ['actual HTTP 200 {"code":0}'],
  ['call POST /x (createSubscription): HTTP 200'],
  ['answer {"code":0,"message":"success"}'],
  ['similar 3 more answers, all HTTP 200: createSubscription 3'],
  ['times 0 s ● created 61 s ○ nothing trace_id'],
  ['trace_id a1b2'],
  [`curl curl -sS -i -X POST 'http://127.0.0.1:9/x' -H 'Authorization: Bearer '"$SITEPUB_TOKEN"`],
  ['HOOK-4: { reason: "why it is accepted", until: 2026-04-02 }'],
  ['✗ failed as expected HOOK-7 Only known events are taken fixed in release 12 (until 2026-12-31)'],
  ['Not verified 1 needs an API key; set SITEPUB_API_KEY 1 – not verified AUTH-3 An API key is accepted'],
  ['~ 3 drifting gap value observed login.status 200 (default) 201'],
  ['The sentence that promises it. implied in section 2.4 of the interface document'],
  ['When this promise fails Four values are named, and no others.'],
  ['2 Resources and their fields 2 promises: 1 passed, 1 failed'],
  ['Partly verified 1 needs another site 1 ◐ partly verified LIMIT-8 The limits count per tenant'],
  ['late Something came late 2 a push came after 12.3 s'],
  ['createSubscription 38 ● yes ● yes'],
  ['publishSite never called'],
  ['subscription 7 on site 101: http://127.0.0.1:1/run/1'],
] as const)('says %s', ([want]) => {
  expect(textOf(sample)).toContain(want);
});

test('groups by reason, collapses skipped requirements, and lists unmet conditions', () => {
  expect(allOf(/<details class="cause"( open)?>/g, htmlReport(unclear))).toEqual([' open', undefined]);
  expect(textOf(unclear)).toContain('because of a 2 – not verified HOOK-1');
  expect(textOf(unclear)).toContain('left out by --only or --skip 1 – not verified ENV-2');
  expect(textOf(unclear)).toContain('Conditions not met --require: because of a (HOOK-1, HOOK-2)');
  expect(htmlReport(unclear)).toContain('<h1 class="unsure">Not all conditions of this run were met</h1>');
});

test('is short if everything passed', () => {
  const page = htmlReport(reportOf({ requirements: [passed], summary: { ...noCounts, passed: 1 } }));
  expect(page).toContain('<h1 class="good">All verified requirements passed</h1>');
  expect(allOf(/<h2>(\w+)/g, page)).toEqual(['Summary', 'By', 'Passed', 'This']);
});

test('shows the first failure in the header and the seed in the run facts', () => {
  const seed = 'generated cases were drawn with --seed 7 --cases 4';
  const page = htmlReport({ ...sample, notes: [seed, 'no push can be seen'] });
  const head = between(page, '<header>', '</header>');
  expect(head).toContain('<a href="#HOOK-4"><code>HOOK-4</code> Another channel is refused</a>');
  expect(head).toContain('<p class="aborted">no push can be seen</p>');
  expect(head).not.toContain(seed);
  expect(between(page, 'id="run"', '</section>')).toContain(`<dd class="any">${seed}</dd>`);
});

test('links counts only to existing sections', () => {
  const counts = between(htmlReport(sample), '<nav', '</nav>');
  expect(allOf(/data-filter="([^"]+)"/g, counts)).toEqual([
    'failed',
    'error',
    'expected',
    'passed',
    'partly',
    'not-verified',
    'not-applicable',
    'drift',
    'remarks',
  ]);
  expect(allOf(/<b>(\d+)/g, counts)).toEqual(['1', '1', '1', '1', '1', '1', '1', '3', '1']);
  const good = between(htmlReport(reportOf({ requirements: [passed] })), '<nav', '</nav>');
  expect(allOf(/data-filter="([^"]+)"/g, good)).toEqual(['passed']);
  expect(allOf(/<b>(\d+)/g, good)).toEqual(['0', '1', '0', '0', '0', '0', '0']);
});

test('draws longer lines for longer times', () => {
  expect(allOf(/<li class="(?:came|missing) (after-\d)"/g, htmlReport(sample))).toEqual([
    'after-0',
    'after-1',
  ]);
});

test('draws a bar for each section, with the share of each outcome', () => {
  const bars = between(htmlReport(sample), 'id="sections"', '</section>');
  expect(bars).toContain('<rect class="passed" x="0.00" y="0" width="50.00" height="8"/>');
  expect(bars).toContain('<rect class="failed" x="50.00" y="0" width="50.00" height="8"/>');
});

test('says why a run ended early', () => {
  const text = textOf(reportOf({ aborted: { kind: 'unreachable', reason: 'nothing answers' } }));
  expect(text).toContain('Not tested: no verdict on the deployment nothing answers');
});

test('escapes texts of a deployment', () => {
  const hostile = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\" x='y' &lt; \u0000";
  const tags = (report: Report) => allOf(/<(\/?[a-z0-9]+)/g, htmlReport(report));
  expect(tags(sampleWith(hostile))).toEqual(tags(sampleWith('x')));
  expect(textOf(sampleWith(hostile))).toContain(`actual ${hostile.replace('\u0000', '\\u0000')}`);
});

function between(text: string, start: string, end: string): string {
  const [, rest = ''] = text.split(start);
  return rest.split(end)[0] ?? '';
}

function allOf(pattern: RegExp, text: string): (string | undefined)[] {
  return [...text.matchAll(pattern)].map(([, found]) => found);
}

/** The visible text, in one line. */
function textOf(report: Report): string {
  const body = between(htmlReport(report), '<body>', '<script>');
  return plain(body.replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim();
}

function plain(text: string): string {
  return text.replace(/&#(\d+);/g, (_, point: string) => String.fromCodePoint(Number(point)));
}
