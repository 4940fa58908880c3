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

test('the same seed gives the same profiles, another one others', () => {
  expect(populationProfiles(60, 1).map(statedValues)).toEqual(population.map(statedValues));
  expect(populationProfiles(60, 2).map(statedValues)).not.toEqual(population.map(statedValues));
});

test.for([
  [60, 1, 2],
  [60, 2, 2],
  [60, 3, 2],
  [14, 2, 1],
] as const)(
  'among %i profiles of seed %i, every choice of every gap is made at least %i times',
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

test('most operations are offered', () => {
  const offered = calls.filter(({ call }) => typeof call === 'object');
  expect(offered.length / calls.length).toBeCloseTo(0.85, 1);
});

test('a publish mostly, and not always, has a note that tells it from others', () => {
  const publishes = calls.filter(
    ({ id, call }) => id === 'operation.publish-site' && typeof call === 'object',
  );
  const share =
    publishes.filter(({ call }) => placeholdersOf(call).includes('note')).length / publishes.length;
  expect(share).toSatisfy((noted: number) => noted > 0.7 && noted < 1);
});

test('only what visitors do is offered without authentication', () => {
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
  ['pages that a body asks for', /"body":\{[^}]*"\{(page|offset|cursor)\}"/],
  ['content that its creation publishes', /"operation.publish-content":\{"by"/],
  ['calls with API keys only', /"auth":"api-key"/],
])('some profiles have %s', (_what, pattern) => {
  const found = population.filter((profile) => pattern.test(JSON.stringify(statedValues(profile))));
  expect(found.length).toBeGreaterThan(1);
});

test('some profiles have two operations at one method and path', () => {
  const shared = population.filter((profile) =>
    JSON.stringify(resolve(profile).paths).includes('"x-operations"'),
  );
  expect(shared.length).toBeGreaterThan(5);
});

test('some names of one request differ in their case alone', () => {
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

  test.for(population)('every operation of $name can be used', ({ profile, isVaried }) =>
    expectUsable(profile, isVaried),
  );
});
