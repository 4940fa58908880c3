// Sample reports for the tests of the formats.
import { type CheckOutcome, outcomeOf } from '../core/outcomes.ts';
import type { GapReport } from '../deployment/gap-observations.ts';
import type { CheckResult, Report, RequirementReport, Warning } from './report.ts';

export const check = { reason: null, expected: null, actual: null, curl: null, trace_id: null };

function requirement(
  id: string,
  title: string,
  part: Partial<RequirementReport> & Pick<RequirementReport, 'section' | 'outcome'>,
): RequirementReport {
  const quote = 'The sentence that promises it.';
  const reading = 'There is one way to read it.';
  return { id, level: 'documented', title, quote, reading, reason: null, checks: [], ...part };
}

export const passed = requirement('ENV-1', 'Every response has an envelope', {
  section: '2.1, 7',
  outcome: 'passed',
  checks: [{ ...check, id: 'env-1-in-every-answer', outcome: 'passed' }],
});

export const failed = requirement('HOOK-4', 'Another channel is refused', {
  section: '2.4',
  level: 'implied',
  reading: 'Four values are named, and no others.',
  outcome: 'failed',
  reason: 'expected a refusal; got a success',
  checks: [
    {
      id: 'hook-4-channel-slack',
      outcome: 'failed',
      reason: 'expected a refusal; got a success',
      expected: 'the channel "slack" to be refused (a code other than 0)',
      actual: 'HTTP 200 {"code":0}',
      curl: `curl -sS -i -X POST 'http://127.0.0.1:9/x' -H 'Authorization: Bearer '"$SITEPUB_TOKEN"`,
      trace_id: 'a1b2',
      call: {
        operation: 'createSubscription',
        method: 'POST',
        path: '/x',
        status: 200,
        answer: '{"code":0,"message":"success"}',
      },
      others: [{ operation: 'createSubscription', status: 200, count: 3 }],
      timeline: [
        { after_s: 0, what: 'created' },
        { after_s: 61, what: 'nothing' },
      ],
      duration_ms: 1204,
    },
    { ...check, id: 'hook-4-channel-empty', outcome: 'passed', duration_ms: 7 },
  ],
});

const known = {
  reason: 'expected a refusal; got HTTP 201',
  expected_failure: { reason: 'fixed in release 12', until: '2026-12-31' },
};

export const expectedFailure = requirement('HOOK-7', 'Only known events are taken', {
  section: '6.1',
  outcome: 'failed',
  ...known,
  checks: [
    {
      ...check,
      id: 'hook-7-unknown-event',
      outcome: 'failed',
      expected: 'a refusal',
      actual: 'HTTP 201 {"code":0}',
      ...known,
    },
  ],
});

const partly = requirement('LIMIT-8', 'The limits count per tenant', {
  section: '8',
  outcome: 'partly',
  reason: 'needs another site',
  checks: [
    { ...check, id: 'limit-8-by-tenant', outcome: 'passed' },
    { ...check, id: 'limit-8-across-sites', outcome: 'not-verified', reason: 'needs another site' },
    { ...check, id: 'limit-8-without-site', outcome: 'not-applicable', reason: 'the call names no site' },
  ],
});

export const unverified = requirement('AUTH-3', 'An API key is accepted', {
  section: '5',
  outcome: 'not-verified',
  reason: 'needs an API key; set SITEPUB_API_KEY',
});

const crash = { outcome: 'error', reason: 'error in the suite: x (hooks.ts:7)' } as const;

export const broken = requirement('SIG-1', 'Every push carries three headers', {
  section: '6.4',
  ...crash,
  checks: [{ ...check, id: 'sig-1-three-headers', ...crash }],
});

export function requirementWith(
  id: string,
  outcomes: Readonly<Record<string, CheckOutcome>>,
): RequirementReport {
  const checks = Object.entries(outcomes).map(([name, outcome]) => ({
    ...check,
    id: name,
    outcome,
    reason: outcome === 'passed' ? null : `because of ${name}`,
  }));
  const outcome = outcomeOf(checks.map((one) => one.outcome));
  const wanted = outcome === 'partly' ? 'not-verified' : outcome;
  const reason = checks.find((one) => one.outcome === wanted)?.reason ?? null;
  return { ...passed, id, title: `The title of ${id}`, outcome, reason, checks };
}

export const noCounts = { passed: 0, failed: 0, partly: 0, warned: 0, not_verified: 0, error: 0 };

export function reportOf(part: Partial<Report>): Report {
  return {
    schema: 2,
    tool: { name: 'sitepub', version: '0.2.0' },
    target: { base_url: 'http://127.0.0.1:9/api/v1', profile: 'acme' },
    started_at: '2026-01-02T03:04:05.000Z',
    duration_ms: 1234,
    requests: 42,
    summary: noCounts,
    requirements: [],
    gaps: [],
    remarks: [],
    coverage: [],
    leftovers: [],
    aborted: null,
    ...part,
  };
}

/** What a run observed of a gap, by default of one that its profile sets to 200. */
export function gapWith(
  observed: string | null,
  outcome: GapReport['outcome'],
  value: unknown = 200,
): GapReport {
  return { id: 'login.status', value, source: 'profile', observed, outcome };
}

export const warning: Warning = {
  id: 'advice-chunked',
  reason: 'expected a 2xx status, or 411; got HTTP 400 <no length>',
  expected: 'a 2xx status, or 411',
  actual: 'HTTP 400 <no length>',
  curl: `printf '{}' > push && curl -sS 'http://127.0.0.1:9/' -H "X: $SITEPUB_WEBHOOK_SECRET"`,
};

export const sample: Report = reportOf({
  requirements: [passed, failed, expectedFailure, unverified, broken, partly],
  remarks: [{ id: 'late', what: 'Something came late', count: 2, example: 'a push came after 12.3 s' }],
  gaps: [
    { id: 'refresh.status', value: 200, source: 'default', observed: '200', outcome: 'agrees' },
    { id: 'login.status', value: 200, source: 'default', observed: '201', outcome: 'drift' },
    { ...gapWith('milliseconds', 'drift', 'seconds'), id: 'webhook.timestamp-unit' },
    { ...gapWith('internal 5', 'drift', { internal: 'x'.repeat(80) }), id: 'errors.codes' },
    { id: 'token.lifetime', value: 7200, source: 'default', observed: null, outcome: 'not-observed' },
  ],
  coverage: [
    { operation: 'login', statuses: [201, 401], requests: 4 },
    {
      operation: 'createSubscription',
      statuses: [200, 400],
      requests: 38,
      times: { calls: 20, median_ms: 12, p95_ms: 340 },
    },
    { operation: 'publishSite', statuses: [], requests: 0 },
  ],
  leftovers: [
    { what: 'subscription', id: 7, site: 101, target: 'http://127.0.0.1:1/run/1' },
    { what: 'subscription', id: null, site: 101, target: 'http://127.0.0.1:1/run/2' },
  ],
  summary: { passed: 1, failed: 2, partly: 1, warned: 3, not_verified: 1, error: 1 },
  token_line: 'export SITEPUB_TOKEN="$(curl …)"',
  expected_failures: {
    file: 'known.yaml',
    count: 1,
    stale: [{ id: 'ENV-1', line: 2, reason: 'still to come', until: null }],
    expired: [{ id: 'HOOK-4', line: 3, reason: 'fixed in release 11', until: '2025-12-31' }],
  },
});

/** A run that verified nothing, left a requirement out, and did not meet its conditions. */
export const unclear: Report = reportOf({
  requirements: [
    { ...requirementWith('ENV-2', {}), reason: 'left out by --only or --skip' },
    requirementWith('HOOK-1', { a: 'not-verified' }),
    requirementWith('HOOK-2', { a: 'not-verified' }),
  ],
  shortfalls: [
    { demand: 'require', kind: 'not-verified', id: 'HOOK-1', reason: 'because of a' },
    { demand: 'require', kind: 'not-verified', id: 'HOOK-2', reason: 'because of a' },
  ],
});

/** The sample with the given text in every place that a deployment can influence. */
export function sampleWith(text: string): Report {
  const spoil = (one: CheckResult): CheckResult => ({
    ...one,
    reason: one.reason && text,
    expected: one.expected && text,
    actual: one.actual && text,
    curl: one.curl && text,
    trace_id: one.trace_id && text,
    ...(one.call && { call: { ...one.call, path: text, answer: text } }),
    ...(one.timeline && { timeline: one.timeline.map((moment) => ({ ...moment, what: text })) }),
  });
  return {
    ...sample,
    token_line: text,
    target: { base_url: text, profile: text },
    requirements: sample.requirements.map((one) => ({
      ...one,
      reason: one.reason && text,
      checks: one.checks.map(spoil),
    })),
    remarks: sample.remarks.map((remark) => ({ ...remark, example: text })),
    gaps: sample.gaps.map((gap) => ({ ...gap, observed: gap.observed && text })),
    leftovers: sample.leftovers.map((left) => ({ ...left, id: text, target: text })),
  };
}
