// Valid cases fit the description of every kind of deployment, and invalid ones do not.
import { sample } from 'fast-check';
import { expect, test } from 'vitest';
import { writeRequest } from '../../../openapi/operations.ts';
import { loadProfile, statedValues } from '../../../openapi/profile.ts';
import { openContext } from '../../testing.ts';
import { bodyFieldsOf } from './body-fields.ts';
import * as cases from './creation-cases.ts';
import type { CreationCase } from './try-creations.ts';

const profiles = ['default', 'always-200-camel-case', 'nested-201-uuid', 'documented-only'].map(loadProfile);
const plain = { url: 'https://hooks.example.com/x', events: ['form.submit'], channel: 'custom' };

for (const profile of profiles) {
  const context = openContext({ profile: { name: profile.name, stated: statedValues(profile) } });
  const body = bodyFieldsOf(context, 'createSubscription');
  const { operation } = body;
  const fits = ({ values = {}, ending = '', arrange = (one) => one }: CreationCase) => {
    const made = arrange(writeRequest(operation, { ...plain, url: plain.url + ending, ...values }));
    return context.validate(operation.request?.schema ?? '', made).length === 0;
  };
  const valid = [
    ...cases.validEvents(body),
    ...cases.validEventsOnChat(body),
    ...cases.validSecrets(body),
    ...cases.validAddresses,
    ...cases.memberOrders(body),
  ];
  const invalid = [
    ...cases.invalidChannels(body),
    ...cases.invalidEvents(body),
    ...cases.invalidAddresses,
    ...cases.missingMembers(body),
  ];

  test(`valid cases fit the description of ${profile.name}`, () => {
    const drawn = valid.flatMap((kind) => sample(kind, { numRuns: 50, seed: 1 }));
    expect(drawn.filter((one) => !fits(one))).toEqual([]);
  });

  test(`invalid cases do not fit the description of ${profile.name}`, () => {
    const drawn = invalid.flatMap((kind) => sample(kind, { numRuns: 50, seed: 1 }));
    expect(drawn.filter(fits)).toEqual([]);
  });
}

test.for([101, '101', 'wh_8f3kq2zz', '5f0c9a52-7d0e-4b7c-9a0e-3f5d1c2b4a69'])(
  'an identifier unknown beside %s is another text, and not the same number with leading or trailing zeros',
  (id) => {
    const unknown = cases.unknownIds(id).flatMap((kind) => sample(kind, { numRuns: 50, seed: 1 }));
    expect(unknown.filter((one) => one === String(id) || /^\+?0*101(\.0*)?$/.test(one))).toEqual([]);
    expect(unknown.filter((one) => /[\s/]/.test(one))).toEqual([]);
  },
);

test('a signing secret has 16 to 24 characters, and no space at its ends', () => {
  const body = bodyFieldsOf(openContext(), 'createSubscription');
  const secrets = cases
    .validSecrets(body)
    .flatMap((kind) => sample(kind, { numRuns: 100, seed: 1 }))
    .map(({ values }) => String(values?.secret));
  expect(secrets.filter((secret) => !/^\S.{14,22}\S$/u.test(secret))).toEqual([]);
});
