// @module-tag nightly
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../openapi/json.ts';
import { gapValue, type Profile, statedValues } from '../../../openapi/profile.ts';
import { type Gap, gaps } from '../../../openapi/registers.ts';
import { resolve } from '../../../openapi/resolve.ts';
import { placeholdersOf } from '../../../openapi/template.ts';
import { guessable } from './guessable.ts';
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

test('where a value may be drawn, at least two are', () => {
  const constant = gaps.filter((gap) => {
    const drawn = population.map((profile) => JSON.stringify(gapValue(profile, gap.id)));
    return !gap.schema.enum && new Set(drawn).size < leastValues(gap);
  });
  expect(constant.map(({ id }) => id)).toEqual([]);
});

function leastValues(gap: Gap): number {
  if (gap.kind === 'template' || gap.kind === 'operation') return 10;
  const choices = choicesOf(gap);
  return choices.some((choice) => typeof choice === 'symbol') ? 3 : Math.min(3, choices.length);
}

test('every gap with a few choices is left to its default now and then', () => {
  const always = gaps.filter(
    ({ id, schema }) => schema.enum && population.every(({ stated }) => stated.has(id)),
  );
  expect(always.map(({ id }) => id)).toEqual([]);
});

test('most operations are offered, each in a way that can be used', () => {
  const offered = calls.filter(({ call }) => typeof call === 'object');
  expect(offered.length / calls.length).toBeCloseTo(0.85, 1);
  const lacking = offered.filter(({ id, call }) => {
    if (typeof call === 'object' && 'by' in call) return false;
    const held = placeholdersOf(call);
    return !(needed[id.slice('operation.'.length)] ?? []).every((name) => held.includes(name));
  });
  expect(lacking).toEqual([]);
});

const needed: Readonly<Record<string, readonly string[]>> = {
  'create-site': ['name'],
  'get-site': ['siteID'],
  'delete-site': ['siteID'],
  'publish-site': ['siteID'],
  'fail-publish': ['siteID'],
  'import-site': ['name', 'source'],
  ai: ['prompt'],
  'delete-key': ['keyID'],
  'create-content': ['siteID', 'title'],
  'publish-content': ['siteID', 'contentID'],
  'update-content': ['siteID', 'contentID', 'title'],
  'delete-content': ['siteID', 'contentID'],
  'submit-form': ['siteID'],
  'create-comment': ['siteID', 'text'],
  'list-subscriptions': ['siteID'],
  'delete-subscription': ['subscriptionID'],
  'list-deliveries': ['subscriptionID'],
};

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
  ['a tilde in a name', /~0/],
  ['the item of a list', /\/0\//],
  ['camel case', /"login.token":"[^"]*\/[a-z]+[A-Z]/],
  ['snake case', /"login.token":"[^"]*\/[a-z]+_[a-z]/],
  ['Chinese', /"login.token":"[^"]*[\u4e00-\u9fff]/],
  ['a query', /"query":\{/],
  ['a query in a path', /"path":"[^"]*\?[^"]*\{/],
  ['a constant in a query', /"path":"[^"]*\?(.*&)?api%20kind=/],
  ['pages by offset', /"\{offset\}"/],
  ['pages by cursor', /"query":\{[^}]*"\{cursor\}"/],
  ['pages that a body asks for', /"body":\{[^}]*"\{(page|offset|cursor)\}"/],
  ['content that its creation publishes', /"operation.publish-content":\{"by"/],
  ['calls with session tokens only', /"auth":"session"/],
  ['calls with API keys only', /"auth":"api-key"/],
  ['an identifier within a text', /"[^"{]+\{siteID\}"/],
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

test('guessable profiles keep to the names that anybody would try', () => {
  const unexpected = populationProfiles(60, 1, { guessable: true }).flatMap((profile) =>
    Object.entries(guessable)
      .filter(([id, likely]) => !isGuess(profile, id, likely))
      .map(([id]) => `${profile.name}: ${id}`),
  );
  expect(unexpected).toEqual([]);
});

function isGuess(profile: Profile, id: string, likely: readonly unknown[]): boolean {
  const value = gapValue(profile, id);
  const values = [...likely, 'absent', 'none'].map((one) => JSON.stringify(one));
  return values.includes(JSON.stringify(value));
}

describe('usable', () => {
  const population = [populationProfiles(60, 1), populationProfiles(14, 2)].flatMap((profiles) =>
    profiles.map((profile, index) => ({ profile, name: profile.name, isVaried: index % 2 === 1 })),
  );

  test.for(population)('every operation of $name can be used', ({ profile, isVaried }) =>
    expectUsable(profile, isVaried),
  );
});
