import { expect, test } from 'vitest';
import { addExamples } from './add-examples.ts';
import { examplesOf, mediaTypeOf } from './description.ts';
import type { Json } from './json.ts';
import { loadProfile, makeProfile, type Profile } from './profile.ts';
import { operationObjects, resolve } from './resolve.ts';
import { samplesFor } from './samples.ts';
import { profileNames } from './testing/profile-names.ts';
import { createValidator } from './validate.ts';

const moved = {
  'login.token': '/session/0/token',
  'subscription.request.url': 'events',
  'subscription.request.events': 'url',
  'refresh.request': { old: '{token}', grant: 'renew' },
};
const profiles: readonly Profile[] = [
  ...profileNames.map((name) => loadProfile(name)),
  makeProfile(moved, { name: 'moved', source: 'moved.yaml' }),
];

test.for(profiles.map((profile) => [profile.name, profile] as const))(
  'under %s every body of every call, answer and push has an example that fits it',
  ([, profile]) => {
    const description = structuredClone(resolve(profile));
    addExamples(description, samplesFor(profile), profile);
    const bodies = operationObjects(description).flatMap((operation) =>
      bodiesOf(operation).map((media) => ({ id: String(operation.operationId), media })),
    );
    expect(bodies.length).toBeGreaterThanOrEqual(13);
    const without = bodies.filter(({ media }) => examplesOf(media).length === 0);
    expect(without.map(({ id }) => id)).toEqual([]);
    const validate = createValidator({ ...description, bodies: bodies.map(({ media }) => media) } as never);
    const wrong = bodies.flatMap(({ id, media }, index) =>
      examplesOf(media).flatMap(({ value }) =>
        validate(`/bodies/${index}/schema`, value).map((mismatch) => ({ id, mismatch })),
      ),
    );
    expect(wrong).toEqual([]);
  },
);

test('what an example holds stands where the profile says', () => {
  const profile = loadProfile('nested-201-uuid');
  const description = structuredClone(resolve(profile));
  addExamples(description, samplesFor(profile), profile);
  const create = operationObjects(description).find(
    ({ operationId }) => operationId === 'createSubscription',
  );
  const [request, answer] = bodiesOf(create ?? {}).map((media) => examplesOf(media)[0]?.value);
  expect(request).toMatchObject({ target_url: 'https://hooks.harbour-cafe.example/sitepub', type: 'custom' });
  expect(answer).toMatchObject({ code: 0, data: { subscription: { target: { type: 'custom' } } } });
});

/** The media types of its request, and of its answers that are its own. */
function bodiesOf({ requestBody, responses }: Json): Json[] {
  const holders = [requestBody, ...Object.values((responses ?? {}) as Json)] as (Json | undefined)[];
  return holders.map(mediaTypeOf).filter((media) => media !== undefined);
}
