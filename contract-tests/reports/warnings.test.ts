// Advice that was not followed: how each format shows it, and that a report without any is silent.
import { XMLParser } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import { annotations } from './annotations.ts';
import { htmlReport } from './html.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';
import type { Report } from './report.ts';
import { terminalReport } from './terminal.ts';
import { passed, reportOf, sample, warning } from './testing.ts';

const target: Report['target'] = { base_url: 'http://127.0.0.1:9/hook', profile: 'none', kind: 'receiver' };
const summary = { passed: 1, failed: 0, partly: 0, warned: 1, not_verified: 0, error: 0 };
const report = reportOf({ target, summary, requirements: [passed], warnings: [warning] });
const title = 'Advice that the receiver does not follow';

const terminal = (one: Report) => terminalReport(one, { colour: false });

test.for([
  ['terminal', terminal, `\n${title} (warnings, no failures):\n~ advice-chunked\n`],
  ['terminal', terminal, '  actual   HTTP 400 <no length>\n'],
  ['terminal', terminal, 'sitepub test-receiver  http://127.0.0.1:9/hook  profile none\n'],
  ['terminal', terminal, ', 1 warning ('],
  ['terminal', terminal, 'For the curl lines: export SITEPUB_WEBHOOK_SECRET'],
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

test('a warning is no annotation and no failure', () => {
  expect(annotations(report)).toBe('');
  expect(junitReport(report)).toContain(' failures="0" errors="0" skipped="0"');
});

test('a hostile text stays a text', () => {
  const hostile = '</dd><script>alert(1)</script>\n# x\n```\n::error::\u001b[2J ]]>&';
  const spoilt = { ...warning, reason: hostile, expected: hostile, actual: hostile, curl: hostile };
  const given = { ...report, warnings: [spoilt] };
  expect(htmlReport(given)).not.toContain('<script>alert');
  expect(new XMLParser().parse(junitReport(given), true)).toHaveProperty('testsuites');
  expect(terminal(given)).not.toContain('\u001b');
  expect(terminal(given)).not.toMatch(/^(# x|::error)/m);
  expect(markdownReport(given)).toContain('\n````sh\n');
});

test('a report without warnings says nothing of advice', () => {
  for (const format of [terminal, markdownReport, htmlReport, junitReport])
    expect(format(sample)).not.toMatch(/advice|warnings"/i);
});
