// @module-tag nightly
// What is learnt from the descriptions that ten frameworks would have of deployments: of the packaged profiles and of ten drawn ones.
import { expect, test } from 'vitest';
import { isObject } from '../../openapi/json.ts';
import { loadPackagedProfile, makeProfile, type Profile } from '../../openapi/profile.ts';
import { randomProfile } from '../../openapi/random-profile.ts';
import { learnOperations } from './learn-operations.ts';
import { describeOperations } from './openapi/describe-operations.ts';
import { describeDeployment, type StyleName, styleNames } from './testing/describe-deployment.ts';
import { type Judgement, judgeLearning } from './testing/judge-learning.ts';
import { realisticProfile } from './testing/realistic-profile.ts';

const numbers = Array.from({ length: 10 }, (_, index) => index + 1);
const packaged = ['default', 'always-200-camel-case', 'nested-201-uuid', 'flags-and-cursors'].map(
  loadPackagedProfile,
);

test.for([
  ['the packaged profiles', packaged, 1],
  ['ten realistic profiles', numbers.map(realisticProfile), 1],
  [
    'ten others, which the matcher was not made with',
    numbers.map((number) => realisticProfile(number + 40)),
    9,
  ],
] as const)('learns at least 95 % of %s, and nothing wrong for certain', ([, profiles, seed]) => {
  const judged = profiles.flatMap((profile) => styleNames.map((style) => judge(profile, style, seed)));
  const wrong = judged.flatMap(({ values }) => values.filter(({ verdict }) => verdict === 'wrong-certain'));
  expect(wrong).toEqual([]);
  const sum = (name: keyof Judgement['operations']) =>
    judged.reduce((total, { operations }) => total + operations[name], 0);
  const all = sum('right') + sum('doubtful') + sum('missing') + sum('wrongCertain');
  expect(sum('right') / all).toBeGreaterThanOrEqual(0.95);
});

/** Their calls are nonsense, such as a DELETE that lists, and templates that no description can say: they only must not upset it. */
test('what is certain of random profiles can be stated together', () => {
  for (const profile of numbers.map(randomProfile))
    for (const style of styleNames) expect(() => judge(profile, style, 1)).not.toThrow();
});

function judge(profile: Profile, style: StyleName, seed: number): Judgement {
  const { description, expected } = describeDeployment({ profile, style, seed });
  const root = isObject(description) ? description : {};
  const operations = describeOperations(root, { name: 'api.json', text: '', basePath: '/api/v1' });
  const learning = learnOperations(operations, { given: {} });
  const learnt = learning.operations.map((one) => [one.gap.id, one] as const);
  const certain = learnt.filter(([, { isCertain }]) => isCertain).map(([id, { value }]) => [id, value]);
  makeProfile(Object.fromEntries(certain), { name: 'learnt', source: 'learnt' });
  return judgeLearning(Object.fromEntries(learnt), expected);
}
