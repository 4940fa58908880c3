import { expect, test } from 'vitest';
import type { Report, RequirementReport } from '../report.ts';
import { terminalReport } from './terminal.ts';

const check = { id: 'x', reason: null, expected: null, actual: null, curl: null, trace_id: null };

const passed: RequirementReport = {
  id: 'ENV-1',
  section: '2.1, 7',
  level: 'documented',
  title: 'Every response has an envelope',
  outcome: 'passed',
  reason: null,
  checks: [{ ...check, id: 'env-1-in-every-answer', outcome: 'passed' }],
};

const failed: RequirementReport = {
  id: 'HOOK-4',
  section: '2.4',
  level: 'implied',
  title: 'Another channel is refused',
  outcome: 'failed',
  reason: 'expected a refusal; got a success',
  checks: [
    {
      id: 'hook-4-channel-slack',
      outcome: 'failed',
      reason: 'expected a refusal; got a success',
      expected: 'a refusal (a code other than 0) of the channel "slack"',
      actual: 'HTTP 200 {"code":0}',
      curl: `curl -sS -X POST 'http://127.0.0.1:9/x' -H 'Authorization: Bearer '"$SITEPUB_TOKEN"`,
      trace_id: 'a1b2',
    },
    { ...check, id: 'hook-4-channel-empty', outcome: 'passed' },
  ],
};

const unverified: RequirementReport = {
  id: 'AUTH-3',
  section: '5',
  level: 'documented',
  title: 'An API key is accepted',
  outcome: 'not-verified',
  reason: 'needs an API key; set SITEPUB_API_KEY',
  checks: [],
};

const broken: RequirementReport = {
  id: 'SIG-1',
  section: '6.4',
  level: 'documented',
  title: 'Every push carries three headers',
  outcome: 'error',
  reason: 'the suite itself went wrong: x is not a function (hooks.ts:7)',
  checks: [
    {
      ...check,
      id: 'sig-1-three-headers',
      outcome: 'error',
      reason: 'the suite itself went wrong: x (hooks.ts:7)',
    },
  ],
};

test('shows each outcome with all of its evidence', () => {
  const text = terminalReport(
    reportOf({
      requirements: [passed, failed, unverified, broken],
      gaps: [
        { id: 'login.status', value: 200, source: 'default', observed: '201', outcome: 'drift' },
        {
          id: 'webhook.timestamp-unit',
          value: 'seconds',
          source: 'profile',
          observed: 'milliseconds',
          outcome: 'drift',
        },
        {
          id: 'errors.codes',
          value: { internal: 'x'.repeat(80) },
          source: 'profile',
          observed: 'internal 5',
          outcome: 'drift',
        },
        { id: 'refresh.status', value: 200, source: 'default', observed: '200', outcome: 'agrees' },
      ],
      leftovers: [
        { what: 'subscription', id: 7, site: 101, target: 'http://127.0.0.1:1/run/1' },
        { what: 'subscription', id: 8, site: 101, target: 'http://127.0.0.1:1/run/2' },
      ],
      summary: { passed: 1, failed: 1, warned: 3, not_verified: 1, error: 1 },
    }),
    { colour: false },
  );
  expect(text).toBe(`sitepub test  http://127.0.0.1:9/api/v1  profile acme

✓ ENV-1      Every response has an envelope
✗ HOOK-4     Another channel is refused
             implied in section 2.4 of the interface document
             hook-4-channel-slack
               expected a refusal (a code other than 0) of the channel "slack"
               actual   HTTP 200 {"code":0}
               trace_id a1b2
               curl     curl -sS -X POST 'http://127.0.0.1:9/x' -H 'Authorization: Bearer '"$SITEPUB_TOKEN"
– AUTH-3     An API key is accepted
             not verified: needs an API key; set SITEPUB_API_KEY
! SIG-1      Every push carries three headers
             documented in section 6.4 of the interface document
             sig-1-three-headers
               error    the suite itself went wrong: x (hooks.ts:7)

Gaps that the deployment fills otherwise than the profile says (warnings, no failures):
~ login.status: the default is 200, observed: 201
~ webhook.timestamp-unit: the profile says seconds, observed: milliseconds
~ errors.codes: the profile says a map, observed: internal 5

Left behind: 2 subscriptions, such as 7 on site 101, which pushes to http://127.0.0.1:1/run/1; state operation.delete-subscription in a profile to have them deleted.

For the curl lines: export SITEPUB_TOKEN, a session token of a login of your own, beside the credentials of this run.

4 requirements: 1 passed, 1 failed, 1 not verified, 1 errors of the suite, 3 drift warnings (42 requests in 1.2 s)
`);
});

test('has little to say where all is well', () => {
  const summary = { passed: 1, failed: 0, warned: 0, not_verified: 0, error: 0 };
  expect(terminalReport(reportOf({ requirements: [passed], summary }), { colour: false })).toBe(
    `sitepub test  http://127.0.0.1:9/api/v1  profile acme

✓ ENV-1      Every response has an envelope

1 requirements: 1 passed, 0 failed, 0 not verified, 0 drift warnings (42 requests in 1.2 s)
`,
  );
});

test('paints only when asked to', () => {
  const report = reportOf({ requirements: [passed, failed] });
  const control = String.fromCharCode(27);
  expect(terminalReport(report, { colour: false })).not.toContain(control);
  expect(terminalReport(report, { colour: true })).toContain(`${control}[32m✓${control}[39m ENV-1`);
});

test('names one leftover of unknown identifier', () => {
  const leftovers = [{ what: 'subscription', id: undefined, site: 101, target: 'http://x/1' }] as const;
  expect(terminalReport(reportOf({ leftovers: [...leftovers] }), { colour: false })).toContain(
    'Left behind: 1 subscription, such as one of unknown identifier on site 101, which pushes to http://x/1;',
  );
});

function reportOf(part: Partial<Report>): Report {
  return {
    schema: 1,
    tool: { name: 'sitepub', version: '0.1.0' },
    target: { base_url: 'http://127.0.0.1:9/api/v1', profile: 'acme' },
    started_at: '2026-01-02T03:04:05.000Z',
    duration_ms: 1234,
    requests: 42,
    summary: { passed: 0, failed: 0, warned: 0, not_verified: 0, error: 0 },
    requirements: [],
    gaps: [],
    coverage: [],
    leftovers: [],
    aborted: null,
    ...part,
  };
}
