import { check, property, sample } from 'fast-check';
import { expect, test } from 'vitest';
import { writeRequest } from '../../../openapi/operations.ts';
import { loadProfile, statedValues } from '../../../openapi/profile.ts';
import { openContext } from '../../testing.ts';
import { bodyFieldsOf } from './body-fields.ts';
import { scaleCosts } from './case-settings.ts';
import * as cases from './creation-cases.ts';
import { chosen, chosenDescending } from './subsets.ts';
import type { CreationCase } from './try-creations.ts';

test.for([
  [24, 24, 8],
  [48, 48, 8],
  [25, 25, 8],
  [6, 24, 8],
])(
  'with %d cases, limits a generated check to %d calls and leaves others unchanged',
  ([cases, generated, other]) => {
    const cost = (createSubscription: number) => ({
      calls: { createSubscription },
      logins: { main: 0, other: 0 },
      steps: [],
    });
    const costs = { checks: { 'hook-4-generated-x': cost(24), 'hook-4-channel-slack': cost(8) }, steps: {} };
    const { checks } = scaleCosts(costs, { cases: cases ?? 0 });
    expect(checks).toMatchObject({
      'hook-4-generated-x': { calls: { createSubscription: generated } },
      'hook-4-channel-slack': { calls: { createSubscription: other } },
    });
  },
);

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

  test(`draws valid cases that fit the description of ${profile.name}`, () => {
    const drawn = valid.flatMap((kind) => sample(kind, { numRuns: 50, seed: 1 }));
    expect(drawn.filter((one) => !fits(one))).toEqual([]);
  });

  test(`draws invalid cases that do not fit the description of ${profile.name}`, () => {
    const drawn = invalid.flatMap((kind) => sample(kind, { numRuns: 50, seed: 1 }));
    expect(drawn.filter(fits)).toEqual([]);
  });
}

test.for([101, '101', 'wh_8f3kq2zz', '5f0c9a52-7d0e-4b7c-9a0e-3f5d1c2b4a69'])(
  'draws unknown identifiers beside %s that are another text and number',
  (id) => {
    const unknown = cases.unknownIds(id).flatMap((kind) => sample(kind, { numRuns: 50, seed: 1 }));
    expect(unknown.filter((one) => one === String(id) || /^\+?0*101(\.0*)?$/.test(one))).toEqual([]);
    expect(unknown.filter((one) => /[\s/]/.test(one))).toEqual([]);
  },
);

test('draws signing secrets of 16 to 24 characters without outer spaces', () => {
  const body = bodyFieldsOf(openContext(), 'createSubscription');
  const secrets = cases
    .validSecrets(body)
    .flatMap((kind) => sample(kind, { numRuns: 100, seed: 1 }))
    .map(({ values }) => String(values?.secret));
  expect(secrets.filter((secret) => !/^\S.{14,22}\S$/u.test(secret))).toEqual([]);
});

const items = ['a', 'b', 'c', 'd', 'e'];

test('chooses the requested number of different items in various orders', () => {
  for (const size of [1, 3, 5]) {
    const lists = sample(chosen(items, size), { numRuns: 200, seed: 1 });
    expect(lists.every((list) => list.length === size && new Set(list).size === size)).toBe(true);
    expect(new Set(lists.map((list) => list.join(''))).size).toBeGreaterThan(size === 1 ? 4 : 50);
  }
});

test.for([
  ['a list that contains d', (list: string[]) => !list.includes('d'), ['d']],
  ['a list of three', (list: string[]) => list.length < 3, 3],
  [
    'c before a',
    (list: string[]) => list.indexOf('a') <= list.indexOf('c') || !list.includes('c'),
    ['c', 'a'],
  ],
  ['any list', () => false, 1],
] as const)('%s is shrunk to the smallest', ([, holds, want]) => {
  const { counterexample } = check(
    property(chosen(items, 5), (list) => holds(list)),
    { seed: 3 },
  );
  const [list = []] = counterexample ?? [];
  if (typeof want === 'number') expect(list).toHaveLength(want);
  else expect(list).toEqual(want);
  expect(typeof want === 'number' ? list.toSorted() : want).toEqual(list);
});

test('chooses in reverse order of the list', () => {
  expect(sample(chosenDescending(items, 5), 1)).toEqual([['e', 'd', 'c', 'b', 'a']]);
});
