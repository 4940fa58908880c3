// @module-tag nightly
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../openapi/json.ts';
import { gapValue, statedValues } from '../../../openapi/profile.ts';
import { gaps } from '../../../openapi/registers.ts';
import { resolve } from '../../../openapi/resolve.ts';
import { placeholdersOf } from '../../../openapi/template.ts';
import { choicesOf, populationProfiles } from './profiles.ts';
import { expectUsable } from './usable-operations.ts';

const population = populationProfiles(60, 1);
const calls = population.flatMap((profile) =>
  gaps
    .filter(({ kind }) => kind === 'operation')
    .map(({ id }) => ({ id, call: gapValue(profile, id) as Json | string })),
);

test('repeats the profiles of a seed, and differs for another seed', () => {
  expect(populationProfiles(60, 1).map(statedValues)).toEqual(population.map(statedValues));
  expect(populationProfiles(60, 2).map(statedValues)).not.toEqual(population.map(statedValues));
});

test.for([
  [60, 1, 2],
  [60, 2, 2],
  [60, 3, 2],
  [14, 2, 1],
] as const)(
  'makes each choice of each gap in %i profiles of seed %i at least %i times',
  ([count, seed, least]) => {
    const profiles = populationProfiles(count, seed);
    const rare = gaps.flatMap((gap) => {
      const made = profiles.map((profile) => gapValue(profile, gap.id));
      return [...new Set(choicesOf(gap))]
        .filter((choice) => typeof choice === 'string' || typeof choice === 'number')
        .filter(
          (choice) => gap.id !== 'errors.codes' && made.filter((value) => value === choice).length < least,
        )
        .map((choice) => `${gap.id}: ${choice}`);
    });
    expect(rare).toEqual([]);
  },
);

test('offers most operations', () => {
  const offered = calls.filter(({ call }) => typeof call === 'object');
  expect(offered.length / calls.length).toBeCloseTo(0.85, 1);
});

test('gives most publishes a distinguishing note', () => {
  const publishes = calls.filter(
    ({ id, call }) => id === 'operation.publish-site' && typeof call === 'object',
  );
  const share =
    publishes.filter(({ call }) => placeholdersOf(call).includes('note')).length / publishes.length;
  expect(share).toSatisfy((noted: number) => noted > 0.7 && noted < 1);
});

test('offers only visitor operations without authentication', () => {
  const open = calls.filter(({ call }) => typeof call === 'object' && call.auth === 'none');
  expect(new Set(open.map(({ id }) => id))).toEqual(
    new Set(['operation.submit-form', 'operation.create-comment']),
  );
});

test.each([
  ['deep places', /"\/data(\/[^"/]+){3,}"/],
  ['a slash in a name', /~1/],
  ['the item of a list', /\/0\//],
  ['camel case', /"login.token":"[^"]*\/[a-z]+[A-Z]/],
  ['Chinese', /"login.token":"[^"]*[\u4e00-\u9fff]/],
  ['a query in a path', /"path":"[^"]*\?[^"]*\{/],
  ['pages by cursor', /"query":\{[^}]*"\{cursor\}"/],
  ['pages in a body', /"body":\{[^}]*"\{(page|offset|cursor)\}"/],
  ['content that is published by its creation', /"operation.publish-content":\{"by"/],
  ['calls with API keys only', /"auth":"api-key"/],
])('draws some profiles with %s', (_what, pattern) => {
  const found = population.filter((profile) => pattern.test(JSON.stringify(statedValues(profile))));
  expect(found.length).toBeGreaterThan(1);
});

test('draws some profiles with two operations at one method and path', () => {
  const shared = population.filter((profile) =>
    JSON.stringify(resolve(profile).paths).includes('"x-operations"'),
  );
  expect(shared.length).toBeGreaterThan(5);
});

test('draws some names of one request that differ only in case', () => {
  const colliding = population.filter((profile) => {
    const names = gaps.filter(({ kind }) => kind === 'field').map(({ id }) => String(gapValue(profile, id)));
    return new Set(names.map((name) => name.toLowerCase())).size < names.length;
  });
  expect(colliding.length).toBeGreaterThan(1);
});

describe('usable', () => {
  const population = [populationProfiles(60, 1), populationProfiles(14, 2)].flatMap((profiles) =>
    profiles.map((profile, index) => ({ profile, name: profile.name, isVaried: index % 2 === 1 })),
  );

  test.for(population)('can call each operation of $name', ({ profile, isVaried }) =>
    expectUsable(profile, isVaried),
  );
});
