import { expect, test } from 'vitest';
import { compareWith, comparisonIn, sayComparison } from './compared-with.ts';
import { htmlReport } from './html.ts';
import { markdownReport } from './markdown.ts';
import { terminalReport } from './terminal.ts';
import { reportOf, requirementWith, sample, sampleWith } from './testing.ts';

const at = (port: number) => ({ base_url: `http://127.0.0.1:${port}/api/v1`, profile: 'acme' });
const other = reportOf({
  target: at(1),
  requirements: [requirementWith('ENV-1', { a: 'passed' }), requirementWith('ENV-2', { b: 'failed' })],
});
const report = reportOf({
  target: at(2),
  requirements: [
    requirementWith('ENV-1', { a: 'failed' }),
    requirementWith('ENV-2', { b: 'failed' }),
    requirementWith('ENV-3', { c: 'passed' }),
  ],
});
const compared = compareWith(report, other);
const broken = { kind: 'unreachable', reason: 'nobody answers' } as const;

test('has the other run, the outcomes at both, and what differs', () => {
  const { compared_with: found } = compared;
  expect(found).toMatchObject({ target: at(1), version: '0.2.0', aborted: null });
  expect(found?.outcomes).toEqual([
    { id: 'ENV-1', other: 'passed', this: 'failed' },
    { id: 'ENV-2', other: 'failed', this: 'failed' },
    { id: 'ENV-3', other: null, this: 'passed' },
  ]);
  expect(found?.differences?.regressed).toMatchObject([{ id: 'ENV-1', before: 'passed', after: 'failed' }]);
  expect(comparisonIn(compared)).toMatchObject({ before: { target: at(1) }, after: { target: at(2) } });
  expect({ ...compared, compared_with: undefined }).toEqual({ ...report, compared_with: undefined });
});

test.for([
  ['the other', compareWith(report, { ...other, aborted: broken }), 'that run ended early: nobody answers'],
  ['this one', compareWith({ ...report, aborted: broken }, other), 'this run ended early'],
] as const)('where %s ended early there is no comparison', ([, one, want]) => {
  expect(one.compared_with?.differences).toBeNull();
  expect(comparisonIn(one)).toBeUndefined();
  expect(one.compared_with && sayComparison(one, one.compared_with)).toBe(
    `Not compared with http://127.0.0.1:1/api/v1: ${want}`,
  );
  expect(markdownReport(one)).toContain(want);
  expect(htmlReport(one)).toContain(want);
});

test.for([
  ['the terminal', terminalReport(compared, { colour: false })],
  ['Markdown', markdownReport(compared)],
  ['HTML', htmlReport(compared)],
] as const)('%s tells what differs', ([, text]) => {
  expect(text).toContain('Compared with another deployment');
  expect(text).toContain('Holds at the other deployment, and fails at this one');
  expect(text).toContain('passed at the other, failed at this one; because of a');
  expect(text).toContain('1 failing at this deployment alone');
});

test.for([
  ['Markdown', markdownReport(compared), '| ENV-3 | unknown | passed |'],
  ['HTML', htmlReport(compared), '<code>ENV-3</code></th><td data-label="other">unknown</td>'],
] as const)('%s has the outcomes at both', ([, text, want]) => {
  expect(text).toContain(want);
});

test('without another deployment nothing is said of one', () => {
  for (const text of [terminalReport(report, { colour: false }), markdownReport(report), htmlReport(report)])
    expect(text).not.toContain('another deployment');
});

test('what either deployment wrote commands nobody', () => {
  const hostile = '\u001b[2J\n::error::x @all [a](http://x) <script>1</script>`';
  for (const one of [compareWith(sampleWith(hostile), sample), compareWith(sample, sampleWith(hostile))]) {
    expect(terminalReport(one, { colour: false })).not.toMatch(/\p{Cc}\[2J|^::/mu);
    expect(markdownReport(one)).not.toMatch(/\p{Cc}\[2J|^::/mu);
    expect(htmlReport(one)).not.toContain('<script>1');
  }
});
