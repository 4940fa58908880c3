// @module-tag ci
// No false alarms with a wrong profile: a gap never fails a deployment.
import { expect, test } from 'vitest';
import { profileNames, profileWith } from '../../mock/testing/open-mock.ts';
import { loadProfile, type Profile, statedValues } from '../../openapi/profile.ts';
import {
  alarmsIn,
  type MockRun,
  profileWithout,
  requirementsThat,
  runAgainstMock,
} from './run-against-mock.ts';
import { answering, any, dataOf } from './tampering.ts';

const profiles = profileNames.map(loadProfile);

/** Uses each profile against the deployment of the next one. */
const mismatches = profiles.map((spoken, index) => ({ spoken, told: profiles.at(index - 1) as Profile }));

test.for(mismatches)('fails nothing of $spoken.name with the profile $told.name', ({ spoken, told }) =>
  expectNoAlarm({ spoken, told }),
);

const subscriptions = ['AUTH-1', 'HOOK-1', 'HOOK-2', 'HOOK-3', 'HOOK-10', 'HOOK-11', 'SIG-4'];
const pushes = ['HOOK-10', 'EVENT-1', 'EVENT-2', 'EVENT-3', 'EVENT-13', 'SIG-1', 'SIG-2', 'SIG-3', 'SIG-4'];
const sessions = ['LOGIN-1', 'LOGIN-3', 'REFRESH-1', 'REFRESH-2', 'REFRESH-3', 'AUTH-4', 'AUTH-5'];
const errors = ['ENV-1', 'ENV-3', 'ENV-5', 'LOGIN-3', 'AUTH-1', 'HOOK-4', 'HOOK-7', 'HOOK-9', 'HOOK-11'];

const unlike: readonly [values: Readonly<Record<string, unknown>>, only: readonly string[]][] = [
  [{ 'subscription.request.url': 'target', 'subscription.unknown-fields': 'refused' }, subscriptions],
  [{ 'subscription.request.secret': 'signing_key' }, subscriptions],
  [{ 'subscription.request.secret': 'signing_key', 'subscription.unknown-fields': 'refused' }, subscriptions],
  [{ 'subscription.response.id': '/data/hook/id' }, subscriptions],
  [{ 'subscription.id-type': 'string' }, subscriptions],
  [{ 'hook-test.request': { name: '{event}' }, 'hook-test.event': 'ping' }, pushes],
  [{ 'hook-test.body': 'other' }, pushes],
  [{ 'hook-test.event': 'ping', 'hook-test.body': 'other' }, pushes],
  [{ 'refresh.token': '/data/renewed', 'refresh.old-token': 'ended' }, sessions],
  [{ 'errors.http-status': 'always-200', 'errors.data': 'empty-object' }, errors],
  [{ 'errors.http-status': { 'invalid-request': 429 } }, errors],
  [{ 'webhook.timestamp-unit': 'milliseconds', 'webhook.timestamp-offset': '-03:30' }, pushes],
  [{ 'webhook.unsigned-headers': 'event-and-timestamp', 'webhook.signature-hex': 'upper' }, pushes],
  [{ 'operation.list-sites': 'not-offered', 'login.status': 201 }, [...sessions, 'ENV-6']],
];

test.for(
  unlike.flatMap(([values, only], index) => [
    { values, only, isTold: false, text: JSON.stringify(values) },
    ...(index < 6 ? [{ values, only, isTold: true, text: JSON.stringify(values) }] : []),
  ]),
)(
  'fails nothing of a deployment with $text (profile with other values: $isTold)',
  ({ values, only, isTold }) =>
    expectNoAlarm({
      spoken: profileWith(values),
      told: profileWithout((gap) => !isTold && gap in values),
      options: { only },
    }),
);

const usual = statedValues(loadProfile('default'));
const readSite = { auth: 'bearer', method: 'GET', path: '/tenant/sites/101', id: '/data/id' };

/** Profiles that state a wrong call, which the answers reveal. */
const mistaken: readonly (readonly [what: string, operation: string, call: object, requirement: string])[] = [
  [
    'a site for a list of sites',
    'operation.list-sites',
    { ...Object(usual['operation.list-sites']), path: readSite.path },
    'ENV-6',
  ],
  [
    'a label for an API key',
    'operation.create-key',
    { ...Object(usual['operation.create-key']), key: '/data/label' },
    'KEY-1',
  ],
  ['a site for a comment', 'operation.create-comment', readSite, 'EVENT-10'],
  ['a site for the change of content', 'operation.update-content', readSite, 'EVENT-7'],
];

test.for(mistaken)(
  'fails nothing of a deployment with a profile that states %s',
  async ([, operation, call, requirement]) => {
    const report = await runAgainstMock({
      spoken: loadProfile('default'),
      told: profileWith({ [operation]: call }),
      tamper: () => labelled,
      options: { tier: 'full', only: [requirement, 'EVENT-13', 'EVENT-4', 'IDEM-1'] },
    });
    expect(alarmsIn(report)).toEqual([]);
    expect(requirementsThat('passed', report)).not.toContain(requirement);
    const drifting = report.gaps.filter(({ outcome }) => outcome === 'drift').map(({ id }) => id);
    expect(drifting).toContain(operation);
  },
);

const labelled = answering(any, (body) => ({
  ...body,
  data: { ...dataOf(body), label: `made by ${body.trace_id}` },
}));

async function expectNoAlarm(run: MockRun): Promise<void> {
  expect(alarmsIn(await runAgainstMock(run))).toEqual([]);
}
