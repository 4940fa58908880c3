// @module-tag nightly
// Ten kinds of failures in each report format, whose curl lines reproduce them.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { SuiteOptions } from '../core/suite-options.ts';
import { evidenceOf } from '../reports/group-by-verdict.ts';
import { htmlReport } from '../reports/html.ts';
import { junitReport } from '../reports/junit.ts';
import { markdownReport } from '../reports/markdown.ts';
import type { CheckResult, Report } from '../reports/report.ts';
import { sayQuote } from '../reports/say-quote.ts';
import { terminalReport } from '../reports/terminal.ts';
import { runAgainstMock } from './run-against-mock.ts';

/** A fault and the check that it fails. `shows`: part of the answer when its curl line runs again. `times`: of attempts. */
const kinds: readonly { fault: string; check: string; shows?: RegExp; times?: RegExp }[] = [
  { fault: 'no-trace-id-on-404', check: 'env-1-in-every-answer', shows: /^(?!.*trace_id).*"code":404/s },
  { fault: 'total-one-short', check: 'env-6-list-of-sites', shows: /"total":1\b/ },
  { fault: 'empty-password-taken', check: 'login-3-password-empty', shows: /"code":0/ },
  { fault: 'create-without-authorization', check: 'auth-1-create-without-authorization', shows: /"code":0/ },
  { fault: 'invented-key-taken-on-create', check: 'auth-4-create-with-invented-key', shows: /"code":0/ },
  { fault: 'unknown-channel-is-custom', check: 'hook-4-channel-slack', shows: /"code":0/ },
  { fault: 'eleventh-login-taken', check: 'limit-2-more-logins' },
  { fault: 'site-id-as-text-on-form-submit', check: 'event-1-body' },
  { fault: 'timestamp-header-local', check: 'sig-3-timestamp-header' },
  {
    fault: 'fourth-retry',
    check: 'retry-4-three-and-no-more',
    times: /^0 s ● 500 ─+ 6[01] s ● 500 ─+ 36[01] s ● 500 ─+ 216[01] s ● 500 ─+ \d+ s ● 500$/,
  },
];

test.concurrent.for(kinds)(
  'shows and reproduces $fault',
  async ({ fault, check, shows, times }, { expect }) => {
    await runAgainstMock({
      faults: [fault],
      options: { tier: 'full', cases: 4, only: [check] },
      beforeEnd: async (report, options) => {
        const result = failureOf(report, check);
        const evidence = evidenceOf(result).map(([, text]) => text);
        const wanted = [check, quoteOf(report, check), ...evidence, ...(result.curl ? [result.curl] : [])];
        for (const [form, text] of Object.entries(formsOf(report)))
          for (const one of wanted) expect(plain(text, form), form).toContain(plain(one, 'wanted'));
        if (times) expect(Object.fromEntries(evidenceOf(result)).times).toMatch(times);
        if (shows) expect(await tryAgain(report, result, options)).toMatch(shows);
      },
    });
  },
);

function failureOf(report: Report, id: string): CheckResult {
  const found = report.requirements.flatMap(({ checks }) => checks).find((check) => check.id === id);
  if (found?.outcome !== 'failed') throw new Error(`${id} is ${found?.outcome}`);
  return found;
}

function quoteOf({ requirements }: Report, id: string): string {
  return sayQuote(requirements.find(({ checks }) => checks.some((check) => check.id === id))?.quote ?? '');
}

function formsOf(report: Report): Record<string, string> {
  return {
    terminal: terminalReport(report, { colour: false }),
    markdown: markdownReport(report),
    html: htmlReport(report),
    junit: junitReport(report),
  };
}

/** A text without markup, escapes and white space, equal in all formats. */
function plain(text: string, form: string): string {
  return (form === 'html' ? text.replace(/<[^>]*>/g, '') : text)
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/\(\d+ min\)|[\s\\─]+/g, '');
}

const run = promisify(execFile);

/** Runs the lines in a shell with the credentials of the run; returns headers and body of the answer. */
async function tryAgain(report: Report, { curl }: CheckResult, options: SuiteOptions): Promise<string> {
  const lines = [report.token_line, curl].join('\n');
  const env = {
    ...process.env,
    SITEPUB_PASSWORD: options.account?.password,
    SITEPUB_API_KEY: options.apiKey,
  };
  const { stdout } = await run('sh', ['-ec', lines], { env });
  expect(stdout).toMatch(/^HTTP\/1\.1 \d{3}/);
  return stdout;
}
