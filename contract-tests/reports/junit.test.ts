import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import { junitReport } from './junit.ts';
import type { Report } from './report.ts';
import { passed, reportOf, sample, sampleWith } from './testing.ts';

test('has a suite for each group and a case for each check', () => {
  const { name, time, timestamp, testsuite } = read(sample).testsuites;
  expect({ name, time, timestamp }).toEqual({
    name: 'sitepub test http://127.0.0.1:9/api/v1, profile acme',
    time: '1.234',
    timestamp: '2026-01-02T03:04:05.000Z',
  });
  expect(testsuite.map(({ name: suite, testcase }) => [suite, testcase.map((one) => one.classname)])).toEqual(
    [
      ['ENV', ['ENV-1']],
      ['HOOK', ['HOOK-4', 'HOOK-4', 'HOOK-7']],
      ['AUTH', ['AUTH-3']],
      ['SIG', ['SIG-1']],
      ['LIMIT', ['LIMIT-8', 'LIMIT-8', 'LIMIT-8']],
      ['expected failures', ['expected failures', 'expected failures']],
      ['notices', ['notices', 'notices', 'notices', 'notices']],
    ],
  );
});

test('counts cases in each suite and in total', () => {
  const { testsuites } = read(sample);
  const countsOf = ({ tests, failures, errors, skipped }: Counts) => [tests, failures, errors, skipped];
  expect(countsOf(testsuites)).toEqual(['15', '3', '1', '4']);
  expect(testsuites.testsuite.map(countsOf)).toEqual([
    ['1', '0', '0', '0'],
    ['3', '1', '0', '1'],
    ['1', '0', '0', '1'],
    ['1', '0', '1', '0'],
    ['3', '0', '0', '2'],
    ['2', '2', '0', '0'],
    ['4', '0', '0', '0'],
  ]);
});

test('shows a failure with all of its evidence', () => {
  expect(caseNamed('hook-4-channel-slack', sample).failure).toEqual({
    message: 'expected a refusal; got a success',
    type: 'PromiseBroken',
    text: [
      'HOOK-4 (implied in section 2.4): Another channel is refused',
      'promise: The sentence that promises it.',
      'rule: Four values are named, and no others.',
      'expected: the channel "slack" to be refused (a code other than 0)',
      'actual: HTTP 200 {"code":0}',
      'call: POST /x (createSubscription): HTTP 200',
      'answer: {"code":0,"message":"success"}',
      'similar: 3 more answers, all HTTP 200: createSubscription 3',
      'times: 0 s ● created ──── 61 s ○ nothing',
      'trace_id: a1b2',
      `curl: curl -sS -i -X POST 'http://127.0.0.1:9/x' -H 'Authorization: Bearer '"$SITEPUB_TOKEN"`,
    ].join('\n'),
  });
});

test('says why a case is skipped, in error or outdated', () => {
  expect(caseNamed('AUTH-3 An API key is accepted', sample).skipped).toEqual({
    message: 'needs an API key; set SITEPUB_API_KEY',
  });
  expect(caseNamed('hook-7-unknown-event', sample)).toMatchObject({
    skipped: { message: 'failed as expected: fixed in release 12 (until 2026-12-31)' },
    'system-out': expect.stringContaining('actual: HTTP 201 {"code":0}'),
  });
  expect(caseNamed('sig-1-three-headers', sample).error).toMatchObject({
    message: 'error in the suite: x (hooks.ts:7)',
    type: 'SuiteError',
  });
  expect(caseNamed('ENV-1', sample).failure).toMatchObject({
    message: 'known.yaml:2: ENV-1 passed, so its entry is stale; remove it',
  });
  expect(caseNamed('env-1-in-every-answer', sample)).toEqual({
    classname: 'ENV-1',
    name: 'env-1-in-every-answer',
    time: '0.000',
  });
  expect(caseNamed('hook-4-channel-slack', sample)).toMatchObject({ time: '1.204' });
});

test('shows drift and remarks as output of passed cases', () => {
  expect(caseNamed('remark late', sample)).toMatchObject({
    'system-out': 'Something came late (2 times): a push came after 12.3 s',
  });
  expect(caseNamed('drift login.status', sample)).toMatchObject({
    'system-out': 'expected 200, observed 201',
  });
});

test('has a case for a passed requirement without checks', () => {
  expect(
    caseNamed(
      'ENV-1 Every response has an envelope',
      reportOf({ requirements: [{ ...passed, checks: [] }] }),
    ),
  ).toEqual({ classname: 'ENV-1', name: 'ENV-1 Every response has an envelope', time: '0.000' });
});

test.for([
  ['markup', `<b a="1" c='2'>&amp; ]]> <![CDATA[`, `<b a="1" c='2'>&amp; ]]> <![CDATA[`],
  ['white space', 'a\tb\r\nc\rd', 'a\tb\nc\\u000dd'],
  ['control characters', 'a\u0000b\u001bc\u0085d', 'a\\u0000b\\u001bc\\u0085d'],
  ['lone surrogates and noncharacters', 'a\ud800b\uffffc\u{1f600}', 'a�b\\uffffc😀'],
  ['bidirectional control characters', 'a\u202eb', 'a\\u202eb'],
  ['commands', 'a\n ::stop-commands::##vso[x]', 'a\n \\u003a:stop-commands::#\\u0023vso[x]'],
] as const)('escapes %s in texts of a deployment', ([, given, want]) => {
  const report = sampleWith(given);
  expect(XMLValidator.validate(junitReport(report))).toBe(true);
  const { failure } = caseNamed('hook-4-channel-slack', report);
  expect(failure?.message).toBe(want);
  expect(failure?.text).toContain(`actual: ${want}\n`);
  expect(read(report).testsuites.name).toBe(`sitepub test ${want}, profile ${want}`);
});

interface Counts {
  tests: string;
  failures: string;
  errors: string;
  skipped: string;
}

interface Detail {
  message: string;
  type?: string;
  text?: string;
}

interface Case {
  classname: string;
  name: string;
  failure?: Detail;
  error?: Detail;
  skipped?: Detail;
  'system-out'?: string;
}

interface Read {
  testsuites: Counts & {
    name: string;
    time: string;
    timestamp: string;
    testsuite: (Counts & { name: string; testcase: Case[] })[];
  };
}

function read(report: Report): Read {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    textNodeName: 'text',
    parseAttributeValue: false,
    parseTagValue: false,
    trimValues: false,
    htmlEntities: true,
    isArray: (name) => name === 'testsuite' || name === 'testcase',
  });
  return parser.parse(junitReport(report)) as Read;
}

function caseNamed(name: string, report: Report): Case {
  const found = read(report)
    .testsuites.testsuite.flatMap(({ testcase }) => testcase)
    .find((one) => one.name === name);
  return found ?? expect.fail(`there is no case "${name}"`);
}

test('an unmet condition is a failure; a regression already is one', () => {
  const short = { demand: 'require', kind: 'not-verified', id: 'ENV-1', reason: 'needs a key' } as const;
  const regressed = { ...short, demand: 'baseline', kind: 'regressed', id: 'ENV-2' } as const;
  const xml = junitReport(reportOf({ shortfalls: [short, regressed] }));
  expect(xml).toContain(
    '<testcase classname="demands" name="--require" time="0.000"><failure message="--require: needs a key (ENV-1)" type="LessVerified"/></testcase>',
  );
  expect(xml).toContain(' tests="1" failures="1" errors="0" skipped="0"');
});
