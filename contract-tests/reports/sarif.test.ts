import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { sarifReport } from './sarif.ts';
import { reportOf, requirementWith, sample, sampleWith, warning } from './testing.ts';

const require = createRequire(import.meta.url);
const schema = require('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');
const ajv = new Ajv({ strict: false, logger: false, unicodeRegExp: false });
addFormats.default(ajv);
// The official schema is of draft 4; but for the name of its id, its rules read alike in draft 7.
const { id: _id, $schema: _draft, ...rules } = schema;
const validate = ajv.compile(rules);

const logOf = (report = sample) => {
  const log = JSON.parse(sarifReport(report));
  expect(validate(log) || validate.errors).toBe(true);
  return log.runs[0];
};
const broken = { ...sample, aborted: { kind: 'unreachable', reason: 'nobody answers' } as const };

test('the schema is that of SARIF, and refuses what is none', () => {
  expect(validate({ version: '2.1.0', runs: [{ tool: { driver: {} } }] })).toBe(false);
});

test('failures are errors, drift warnings, remarks notes, and every one names its rule', () => {
  const { results, tool } = logOf();
  const told = results.map(({ ruleId, level }: { ruleId: string; level: string }) => `${level} ${ruleId}`);
  expect(told).toEqual([
    'error HOOK-4',
    'warning drift/login.status',
    'warning drift/webhook.timestamp-unit',
    'warning drift/errors.codes',
    'note HOOK-7',
    'note remark/late',
  ]);
  for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
});

test('a failure shows the promise, what came, and the line of the operation', () => {
  const { results } = logOf();
  const [{ message, locations, relatedLocations, partialFingerprints, suppressions }] = results;
  const accepted = results.find(({ ruleId }: { ruleId: string }) => ruleId === 'HOOK-7');
  expect(message.text).toMatch(/^HOOK-4 Another channel is refused\. hook-4-channel-slack: /);
  expect(message.text).toContain('\nsentence: ');
  expect(locations).toEqual([
    {
      physicalLocation: {
        artifactLocation: { uri: 'openapi/site-publishing.yaml' },
        region: { startLine: expect.any(Number), startColumn: 1, endLine: expect.any(Number), endColumn: 38 },
      },
    },
  ]);
  expect(relatedLocations[0].physicalLocation.artifactLocation.uri).toBe('openapi/requirements.yaml');
  expect(partialFingerprints.primaryLocationLineHash).toMatch(/^[\da-f]{16}:1$/);
  expect(suppressions).toBeUndefined();
  expect(accepted.suppressions).toEqual([
    { kind: 'external', status: 'accepted', justification: 'fixed in release 12 (until 2026-12-31)' },
  ]);
});

test('a finding has the same fingerprint whatever the deployment says, and no other has it', () => {
  const prints = (report = sample) =>
    logOf(report).results.map((one: { partialFingerprints: unknown }) =>
      JSON.stringify(one.partialFingerprints),
    );
  expect(prints(sampleWith('something else'))).toEqual(prints());
  expect(new Set(prints()).size).toBe(prints().length);
});

test('an error of the suite, and a run that ended early, are no results', () => {
  const [invocation] = logOf(broken).invocations;
  expect(invocation.executionSuccessful).toBe(false);
  expect(
    invocation.toolExecutionNotifications.map((one: { message: { text: string } }) => one.message.text),
  ).toEqual(['nobody answers', 'sig-1-three-headers: the suite itself went wrong: x (hooks.ts:7)']);
  expect(logOf(reportOf({})).invocations[0].executionSuccessful).toBe(true);
});

test('advice to a receiver is a warning', () => {
  const { results } = logOf(reportOf({ warnings: [warning] }));
  expect(results).toMatchObject([{ ruleId: 'advice-chunked', level: 'warning' }]);
});

test('what a deployment wrote neither links nor hides', () => {
  const { results } = logOf(sampleWith('[log in](https://evil.example) \\](x) \u202e'));
  const text = results[0].message.text;
  expect(text).not.toMatch(/(?<!\\)(\\\\)*\]\(/);
  expect(text).toContain('[log in\\](https://evil.example)');
  expect(text).toContain('\\u202e');
});

test('has no more results than GitHub shows', () => {
  const outcomes = Object.fromEntries([...Array(6_000).keys()].map((at) => [`c${at}`, 'failed'] as const));
  const log = logOf(reportOf({ requirements: [requirementWith('ENV-1', outcomes)] }));
  expect(log.results).toHaveLength(5_000);
});

test('every result has a place, also where this sitepub knows neither the requirement nor the gap', () => {
  const [gap] = sample.gaps;
  const report = reportOf({
    requirements: [requirementWith('NEWER-1', { a: 'failed' })],
    gaps: gap ? [{ ...gap, id: 'newer.gap', outcome: 'drift' }] : [],
  });
  const places = logOf(report).results.map(
    ({ locations }: { locations: { physicalLocation: object }[] }) => locations[0]?.physicalLocation,
  );
  const first = {
    artifactLocation: { uri: 'openapi/site-publishing.yaml' },
    region: { startLine: 1, startColumn: 1, endLine: 1, endColumn: expect.any(Number) },
  };
  expect(places).toEqual([first, first]);
});

test('a rule has its help as Markdown, which marks nothing up by itself, and no empty text', () => {
  const bare = { ...requirementWith('ENV-1', { a: 'failed' }), reading: '', quote: '<b> @all [a](b)' };
  const [rule] = logOf(reportOf({ requirements: [bare] })).tool.driver.rules;
  expect(rule.fullDescription.text).toBe('The title of ENV-1');
  expect(rule.help.markdown).toContain('sentence: &lt;b&gt; @&#8203;all');
  expect(rule.help.markdown).not.toMatch(/(?<!\\)\[a/);
  expect(rule.properties).toMatchObject({ precision: 'high', 'problem.severity': 'error' });
});
