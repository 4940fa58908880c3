// @module-tag nightly
import { describe, expect, test } from 'vitest';
import { openMock, subscriptionRequest } from '../../../mock/testing/open-mock.ts';
import type { Json } from '../../../openapi/json.ts';
import { type OperationId, operationsOf } from '../../../openapi/operations.ts';
import { gapValue, type Profile, statedValues } from '../../../openapi/profile.ts';
import { gaps } from '../../../openapi/registers.ts';
import { resolve } from '../../../openapi/resolve.ts';
import { placeholdersOf } from '../../../openapi/template.ts';
import { choicesOf, populationProfiles } from './profiles.ts';

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

/** These create resources for the others. */
const first: readonly OperationId[] = [
  ...(['createSite', 'importSite', 'createKey', 'createContent', 'createSubscription'] as const),
];

const last: readonly OperationId[] = ['deleteContent', 'deleteSubscription', 'deleteSite', 'deleteKey'];

/** Other tests call these. */
const sessions: readonly OperationId[] = ['login', 'refresh'];

function inOrder(offered: readonly OperationId[]): OperationId[] {
  const others = offered.filter((id) => ![...first, ...last, ...sessions].includes(id));
  const callable = offered.filter((id) => id !== 'getPublish' || offered.includes('publishSite'));
  return [...first, ...others, ...last].filter((id) => callable.includes(id));
}

/** Calls each drawn operation on the mock. */
async function expectUsable(profile: Profile, isVaried: boolean): Promise<void> {
  const variations = isVaried ? ['shuffled-keys', 'extra-fields', 'mixed-offsets'] : [];
  const mock = openMock(profile, { variations });
  const offered = operationsOf(resolve(profile)).map(({ id }) => id);
  const refused: string[] = [];
  for (const id of inOrder(offered)) {
    const { envelope, mismatches } = await mock.perform(id, valuesFor(mock), await mock.tokenFor(id));
    // A publish may block the next one for a few seconds.
    await mock.service.scheduler.advance(mock.clock.time + 60_000);
    if (envelope.code !== 0 || mismatches.length > 0)
      refused.push(`${id}: ${envelope.message} ${mismatches.map(({ at, message }) => `${at} ${message}`)}`);
  }
  expect(refused).toEqual([]);
  expect(mock.logged).toEqual([]);
  await mock.app.close();
}

/** Current resources of the world, independent of the answers. */
function valuesFor({ service: { world }, profile }: ReturnType<typeof openMock>): Record<string, unknown> {
  const isPublic = profile.values['subscription.url-rule'] === 'public-only';
  const url = isPublic ? 'https://hooks.invalid/x' : 'https://127.0.0.1:1/x';
  const [subscription] = [...world.subscriptions.values()].slice(-1);
  const [content] = [...world.contents.values()].filter(({ siteId }) => siteId === 101).slice(-1);
  const publication = [...world.publications.values()].findLast(({ siteId }) => siteId === 101);
  const [key] = [...world.apiKeys.values()].filter(({ tenantId }) => tenantId === 1).slice(-1);
  return {
    ...subscriptionRequest({ url, secret: 's'.repeat(32) }),
    ...{ subscriptionID: subscription?.id, id: subscription?.id, event: 'publish.complete' },
    ...{ contentID: content?.id, keyID: key?.id, version: publication?.version },
    ...{
      name: 'New',
      note: 'a/b ü',
      source: 'https://old.example/x',
      prompt: 'Why?',
      title: 'Tea',
      text: 'x',
    },
    ...{ form: 'book', fields: { seats: 2, '0': ['a'] }, author: 'Lin' },
  };
}
