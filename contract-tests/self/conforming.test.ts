// No false alarm: deployments that keep every promise, each in its own way, fail no requirement, whatever profile the suite is told.
import { expect, test } from 'vitest';
import { loadProfile, makeProfile, noProfile, type Profile, statedValues } from '../../openapi/profile.ts';
import type { Report } from '../report.ts';
import { requirementsThat, runAgainstMock } from './run-against-mock.ts';

const profiles = ['default', 'always-200-camel-case', 'nested-201-uuid', 'documented-only'].map(loadProfile);

const passedByDefault = [
  ...['ENV-1', 'ENV-2', 'ENV-3', 'ENV-4', 'ENV-5', 'ENV-6', 'ENV-7'],
  ...['LOGIN-1', 'LOGIN-2', 'LOGIN-3', 'LOGIN-4', 'LOGIN-5'],
  ...['REFRESH-1', 'REFRESH-2', 'REFRESH-3'],
  ...['AUTH-1', 'AUTH-2', 'AUTH-3', 'AUTH-4', 'AUTH-6'],
  ...['HOOK-1', 'HOOK-2', 'HOOK-3', 'HOOK-4', 'HOOK-5', 'HOOK-6', 'HOOK-7', 'HOOK-8', 'HOOK-9', 'HOOK-10'],
  ...['HOOK-11', 'EVENT-1', 'EVENT-2', 'EVENT-3'],
  ...['SIG-1', 'SIG-2', 'SIG-3', 'SIG-4', 'SIG-5', 'VERSION-1'],
];

/** What can't be verified where the profile says otherwise than the default one. */
const lackingOf: Readonly<Record<string, readonly string[]>> = {
  default: [],
  // Its test message bears no event name, and it states no operation that causes an event which the checks call.
  'always-200-camel-case': ['EVENT-1', 'EVENT-2', 'EVENT-3', 'SIG-2'],
  'nested-201-uuid': [],
  'documented-only': ['ENV-6'],
};

test.for(profiles)(
  'verifies a deployment that speaks $name, and leaves nothing that it can delete',
  async (spoken) => {
    const report = await runAgainstMock({ spoken });
    const lacking = lackingOf[spoken.name] ?? [];
    expect(verdictsOf(report)).toEqual({ failed: [], error: [], drift: [] });
    expect(requirementsThat('passed', report).toSorted()).toEqual(
      passedByDefault.filter((id) => !lacking.includes(id)).toSorted(),
    );
    const canDelete = spoken.values['operation.delete-subscription'] !== 'not-offered';
    if (canDelete) expect(report.leftovers).toEqual([]);
    else
      expect(report.leftovers).toContainEqual(expect.objectContaining({ what: 'subscription', site: 201 }));
  },
);

const mismatches = profiles.flatMap((spoken) =>
  [...profiles, noProfile].filter((told) => told !== spoken).map((told) => ({ spoken, told })),
);

test.for(mismatches)('fails nothing of $spoken.name when told $told.name', async ({ spoken, told }) => {
  const { failed, error } = verdictsOf(await runAgainstMock({ spoken, told }));
  expect({ failed, error }).toEqual({ failed: [], error: [] });
});

const unlike: Readonly<Record<string, unknown>>[] = [
  { 'subscription.request.url': 'target', 'subscription.unknown-fields': 'refused' },
  { 'subscription.request.secret': 'signing_key' },
  { 'subscription.request.secret': 'signing_key', 'subscription.unknown-fields': 'refused' },
  { 'subscription.response.id': '/data/hook/id' },
  { 'subscription.id-type': 'string' },
  { 'hook-test.request': { name: '{event}' }, 'hook-test.event': 'ping' },
  { 'hook-test.body': 'other' },
  { 'hook-test.event': 'ping', 'hook-test.body': 'other' },
  { 'refresh.token': '/data/renewed', 'refresh.old-token': 'ended' },
  { 'errors.http-status': 'always-200', 'errors.data': 'empty-object' },
  { 'errors.http-status': { 'invalid-request': 429 } },
  { 'webhook.timestamp-unit': 'milliseconds', 'webhook.timestamp-offset': '-03:30' },
  { 'webhook.unsigned-headers': 'event-and-timestamp', 'webhook.signature-hex': 'upper' },
  { 'operation.list-sites': 'not-offered', 'login.status': 201 },
];

/** That a profile says otherwise is no promise of the deployment's either. */
test.for(unlike.slice(0, 6).map((values) => ({ values, text: JSON.stringify(values) })))(
  'fails nothing of a deployment with $text when told otherwise',
  async ({ values }) => {
    const told = profiles[0] as Profile;
    const spoken = makeProfile({ ...statedValues(told), ...values }, { name: 'unlike', source: 'test' });
    const { failed, error } = verdictsOf(await runAgainstMock({ spoken, told }));
    expect({ failed, error }).toEqual({ failed: [], error: [] });
  },
);

test.for(unlike.map((values) => ({ values, text: JSON.stringify(values) })))(
  'fails nothing of a deployment with $text when not told so',
  async ({ values }) => {
    const stated = statedValues(profiles[0] as Profile);
    const without = Object.fromEntries(Object.entries(stated).filter(([id]) => !(id in values)));
    const spoken = makeProfile({ ...stated, ...values }, { name: 'unlike', source: 'test' });
    const told = makeProfile(without, { name: 'untold', source: 'test' });
    const { failed, error } = verdictsOf(await runAgainstMock({ spoken, told }));
    expect({ failed, error }).toEqual({ failed: [], error: [] });
  },
);

test('shows no secret in the report, also where a deployment repeats what it is sent', async () => {
  const given: string[] = [];
  let secrets: string[] = [];
  const report = await runAgainstMock({
    tamper: ({ main, other }) => {
      secrets = [main.apiKey, ...[...main.users, ...other.users].map(({ password }) => password)];
      return async (message, forward) => {
        const reply = await forward(message);
        if (message.path.includes('/auth/'))
          given.push(...(reply.body.toString().match(/\bst_[0-9a-f]{32}\b/g) ?? []));
        if (!message.path.endsWith('/webhooks')) return reply;
        const echo = `${message.headers.authorization} ${message.body} ${secrets.map(encodeURIComponent)}`;
        const body = { code: 0, message: echo, data: { id: echo, secrets } };
        return { ...reply, body: Buffer.from(JSON.stringify(body)) };
      };
    },
  });
  const text = JSON.stringify(report);
  expect(requirementsThat('failed', report)).toContain('ENV-1');
  expect(given.length).toBeGreaterThan(2);
  expect([...secrets, ...given].filter((secret) => text.includes(secret))).toEqual([]);
});

test('gives each requirement once, and what was called', async () => {
  const { requirements, coverage, summary, target } = await runAgainstMock({
    options: { only: ['LOGIN-1'] },
  });
  expect(new Set(requirements.map(({ id }) => id)).size).toBe(81);
  expect(requirements).toHaveLength(81);
  expect(summary).toEqual({ passed: 1, failed: 0, warned: 0, not_verified: 80, error: 0 });
  expect(target.profile).toBe('default');
  expect(coverage).toContainEqual({ operation: 'login', statuses: [200], requests: 1 });
});

test('creates nothing in the smoke tier', async () => {
  const calls: string[] = [];
  const report = await runAgainstMock({
    options: { tier: 'smoke' },
    tamper: () => (message, forward) => {
      calls.push(`${message.method} ${message.path}`);
      return forward(message);
    },
  });
  expect(verdictsOf(report)).toEqual({ failed: [], error: [], drift: [] });
  expect(requirementsThat('passed', report)).toContain('REFRESH-1');
  expect(calls.filter((call) => call.startsWith('DELETE'))).toEqual([]);
});

function verdictsOf(report: Report) {
  return {
    failed: requirementsThat('failed', report),
    error: requirementsThat('error', report),
    drift: report.gaps.filter(({ outcome }) => outcome === 'drift').map(({ id }) => id),
  };
}
