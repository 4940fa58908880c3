import { expect, test } from 'vitest';
import { terminalReport } from './terminal.ts';
import {
  expectedFailure,
  failed,
  noCounts,
  passed,
  reportOf,
  requirementWith,
  sample,
  sampleWith,
} from './testing.ts';

test('shows each outcome with all of its evidence', () => {
  const text = terminalReport(sample, { colour: false });
  expect(text).toBe(`The deployment breaks 1 promise.
sitepub test  http://127.0.0.1:9/api/v1  profile acme

✓ ENV-1      Every response has an envelope
✗ HOOK-4     Another channel is refused
             implied in section 2.4 of the interface document
             promise: The sentence that promises it.
             rule: Four values are named, and no others.
             hook-4-channel-slack
               expected the channel "slack" to be refused (a code other than 0)
               actual   HTTP 200 {"code":0}
               call     POST /x (createSubscription): HTTP 200
               answer   {"code":0,"message":"success"}
               similar  3 more answers, all HTTP 200: createSubscription 3
               times    0 s ● created ──── 61 s ○ nothing
               trace_id a1b2
               curl     curl -sS -i -X POST 'http://127.0.0.1:9/x' -H 'Authorization: Bearer '"$SITEPUB_TOKEN"
               accept   HOOK-4: { reason: "why it is accepted", until: 2026-04-02 }
✗ HOOK-7     Only known events are taken
             failed as expected: fixed in release 12 (until 2026-12-31)
! SIG-1      Every push carries three headers
             documented in section 6.4 of the interface document
             sig-1-three-headers
               error    error in the suite: x (hooks.ts:7)
◐ LIMIT-8    The limits count per tenant

Not verified, by reason:
– needs an API key; set SITEPUB_API_KEY
    AUTH-3
– needs another site
    in part: LIMIT-8

Drift: gaps that differ from the profile (warnings, not failures):
~ login.status: the default is 200, observed: 201
~ webhook.timestamp-unit: the profile says seconds, observed: milliseconds
~ errors.codes: the profile says {"internal":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…, observed: internal 5

Remarks (not failures):
~ late (2): Something came late; for example: a push came after 12.3 s

Leftovers, which the run created and could not delete:
  subscription 7 on site 101: http://127.0.0.1:1/run/1
  subscription with unknown id on site 101: http://127.0.0.1:1/run/2
  the run created 1 subscription whose ids it could not find: "http://127.0.0.1:1/run/2"

Before you run the curl lines: set the credentials of this run, and run export SITEPUB_TOKEN="$(curl …)"
To accept a failure for a while: paste its "accept" line into a YAML file, and pass the file with --expected-failures.

Outdated expected failures (they fail the run):
✗ known.yaml:2: ENV-1 passed, so its entry is stale; remove it
✗ known.yaml:3: the entry of HOOK-4 expired after 2025-12-31; remove it or set a later date

6 requirements: 1 passed, 2 failed (1 expected), 1 partly verified, 1 not verified, 1 suite error, 3 drift warnings (42 requests in 1.2 s)
✗ HOOK-4     Another channel is refused
! SIG-1      Every push carries three headers
`);
});

test('is short if everything passed', () => {
  const summary = { passed: 1, failed: 0, partly: 0, warned: 0, not_verified: 0, error: 0 };
  expect(terminalReport(reportOf({ requirements: [passed], summary }), { colour: false })).toBe(
    `sitepub test  http://127.0.0.1:9/api/v1  profile acme

✓ ENV-1      Every response has an envelope

1 requirement: 1 passed, 0 failed, 0 not verified, 0 drift warnings (42 requests in 1.2 s)
`,
  );
});

test('groups by reason, and only counts skipped requirements', () => {
  const left = { ...requirementWith('ENV-2', {}), reason: 'left out by --only or --skip' };
  const requirements = [
    left,
    requirementWith('HOOK-1', { a: 'not-verified' }),
    { ...left, id: 'ENV-3' },
    requirementWith('HOOK-2', { a: 'not-verified' }),
    requirementWith('HOOK-3', { b: 'passed', a: 'not-verified' }),
  ];
  const text = terminalReport(reportOf({ requirements }), { colour: false });
  expect(
    text.slice(text.indexOf('◐'), text.indexOf('\n\n5 requirements')),
  ).toBe(`◐ HOOK-3     The title of HOOK-3

Not verified, by reason:
– because of a
    HOOK-1, HOOK-2; in part: HOOK-3
– left out by --only or --skip: 2 requirements`);
});

test('lists unmet conditions below the counts, regressions first', () => {
  const short = { demand: 'require', kind: 'not-verified', id: 'ENV-1', reason: 'needs a key' } as const;
  const shortfalls = [
    short,
    { ...short, id: 'ENV-2' },
    { ...short, id: null, demand: 'min-verified', reason: '1 passed, 2 required' },
    { ...short, id: 'ENV-3', demand: 'baseline', kind: 'regressed', reason: 'passed there\u001b' },
  ] as const;
  const text = terminalReport(reportOf({ shortfalls: [...shortfalls] }), { colour: false });
  expect(text).toMatch(/ s\)\n\nConditions not met:\n/);
  expect(text.split('not met:\n')[1]).toBe(`✗ --baseline: passed there\\u001b (ENV-3)
✗ --require: needs a key (ENV-1, ENV-2)
✗ --min-verified: 1 passed, 2 required
`);
});

test('uses colours only on request', () => {
  const report = reportOf({ requirements: [passed, failed] });
  const control = String.fromCharCode(27);
  expect(terminalReport(report, { colour: false })).not.toContain(control);
  expect(terminalReport(report, { colour: true })).toContain(`${control}[32m✓${control}[39m ENV-1`);
});

test('lists the first ten leftovers', () => {
  const left = { what: 'site', id: 7, site: null, target: 'a' } as const;
  const leftovers = Array.from({ length: 12 }, () => left);
  const text = terminalReport(reportOf({ leftovers }), { colour: false });
  expect(text.match(/^ {2}site 7: a$/gm)).toHaveLength(10);
  expect(text).toContain('\n  and 2 more\n');
});

test('suggests lines for the checks that are not accepted yet', () => {
  const [one] = expectedFailure.checks;
  const partly = { ...failed, checks: [...failed.checks, ...(one ? [one] : [])] };
  const text = terminalReport(reportOf({ requirements: [partly] }), { colour: false });
  expect(text).toContain('             hook-7-unknown-event (failed as expected: fixed in release 12');
  expect(text).toContain(
    '  accept   hook-4-channel-slack: { reason: "why it is accepted", until: 2026-04-02 }\n',
  );
  expect(text).not.toContain('  accept   HOOK-4:');
});

test('escapes line breaks and control characters of a deployment', () => {
  const text = terminalReport(sampleWith('a\n::set-env::\u001b[2J\r\u0085z'), { colour: false });
  expect(text).not.toMatch(/^::|[\r\u0085]/m);
  expect(text).not.toContain(String.fromCharCode(27));
  expect(text).toContain('actual   a\\n::set-env::\\u001b[2J\\u000d\\u0085z\n');
});

test.for([
  ['usage', 'Not tested: the settings of this run are wrong'],
  ['credentials', 'Not tested: the settings of this run are wrong'],
  ['unreachable', 'Not tested: no verdict on the deployment'],
  ['rate-limited', 'Not tested: no verdict on the deployment'],
] as const)('reports a run without results (%s) in two lines', ([kind, headline]) => {
  const report = reportOf({ aborted: { kind, reason: 'x' }, summary: { ...noCounts, not_verified: 81 } });
  expect(terminalReport(report, { colour: false }).split('\n')).toEqual([
    `${headline}.`,
    expect.stringMatching(/^sitepub test {2}http/),
    '',
  ]);
});

test('reports a run that ended midway in full', () => {
  const text = terminalReport(
    { ...sample, aborted: { kind: 'unreachable', reason: 'x' } },
    { colour: false },
  );
  expect(text).toContain('✗ HOOK-4 ');
});
