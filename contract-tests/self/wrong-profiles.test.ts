// @module-tag ci
// No false alarm where the suite is given a profile that does not fit: a gap never fails a deployment.
import { expect, test } from 'vitest';
import { profileNames } from '../../mock/testing/open-mock.ts';
import { loadProfile, makeProfile, type Profile, statedValues } from '../../openapi/profile.ts';
import { type MockRun, requirementsThat, runAgainstMock } from './run-against-mock.ts';
import { answering, any, dataOf } from './tampering.ts';

const profiles = profileNames.map(loadProfile);

const mismatches = profiles.flatMap((spoken) =>
  profiles.filter((told) => told !== spoken).map((told) => ({ spoken, told })),
);

test.for(mismatches)('fails nothing of $spoken.name when told $told.name', async ({ spoken, told }) => {
  await expectNoAlarm({ spoken, told });
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
    await expectNoAlarm({ spoken, told });
  },
);

test.for(unlike.map((values) => ({ values, text: JSON.stringify(values) })))(
  'fails nothing of a deployment with $text when not told so',
  async ({ values }) => {
    const stated = statedValues(profiles[0] as Profile);
    const without = Object.fromEntries(Object.entries(stated).filter(([id]) => !(id in values)));
    const spoken = makeProfile({ ...stated, ...values }, { name: 'unlike', source: 'test' });
    const told = makeProfile(without, { name: 'untold', source: 'test' });
    await expectNoAlarm({ spoken, told });
  },
);

const bearer = { auth: 'bearer' };
/** Calls that are other ones than the profile says, of which the answers show that. */
const mistaken: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
  [
    'a site for a list of sites',
    {
      'operation.list-sites': {
        ...bearer,
        ...{ method: 'GET', path: '/tenant/sites/101', list: '/data/list', total: '/data/total' },
        ...{ 'item.id': '/site_id', 'item.name': '/site_name' },
      },
    },
    'ENV-6',
  ],
  [
    'a label for an API key',
    {
      'operation.create-key': {
        ...bearer,
        ...{
          method: 'POST',
          path: '/tenant/keys',
          body: { name: '{name}' },
          id: '/data/id',
          key: '/data/label',
        },
      },
    },
    'KEY-1',
  ],
  [
    'a site for a comment',
    { 'operation.create-comment': { ...bearer, method: 'GET', path: '/tenant/sites/101', id: '/data/id' } },
    'EVENT-10',
  ],
  [
    'a site for the change of content',
    {
      'operation.update-content': {
        ...bearer,
        ...{ method: 'GET', path: '/tenant/sites/101', id: '/data/id' },
      },
    },
    'EVENT-7',
  ],
];

test.for(mistaken)('fails nothing of a deployment when told %s', async ([, values, requirement]) => {
  const spoken = profiles[0] as Profile;
  const told = makeProfile({ ...statedValues(spoken), ...values }, { name: 'mistaken', source: 'test' });
  const only = [requirement, 'EVENT-13', 'EVENT-4', 'IDEM-1'];
  const report = await runAgainstMock({
    spoken,
    told,
    tamper: () => labelled,
    options: { tier: 'full', only },
  });
  expect([...requirementsThat('failed', report), ...requirementsThat('error', report)]).toEqual([]);
  expect(requirementsThat('passed', report)).not.toContain(requirement);
  const drifting = report.gaps.filter(({ outcome }) => outcome === 'drift').map(({ id }) => id);
  expect(drifting).toEqual(expect.arrayContaining(Object.keys(values)));
});

const labelled = answering(any, (body) => ({
  ...body,
  data: { ...dataOf(body), label: `made by ${body.trace_id}` },
}));

async function expectNoAlarm(run: MockRun): Promise<void> {
  const report = await runAgainstMock(run);
  expect(requirementsThat('failed', report)).toEqual([]);
  expect(requirementsThat('error', report)).toEqual([]);
}
