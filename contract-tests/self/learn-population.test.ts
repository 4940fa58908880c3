// Recordings of deployments that are unlike one another: each operation that was called is learnt, and nothing of what was typed.
import { expect, onTestFinished, test } from 'vitest';
import { startMock } from '../../mock/start.ts';
import type { Profile } from '../../openapi/profile.ts';
import { learnRecording } from '../learn/recording/learn-recording.ts';
import { callOperations, typedWords } from '../learn/testing/call-operations.ts';
import { learntOf, offeredTo } from '../learn/testing/compare-operations.ts';
import { populationProfiles } from './population/profiles.ts';

const profiles = populationProfiles(8, 19, { guessable: true });

test.for(profiles.map((profile) => [profile.name, profile] as const))('%s', async ([, profile]) => {
  const { exchanges, done, baseUrl } = await record(profile);
  const { operations } = learnRecording(exchanges);
  const want = offeredTo(
    profile,
    done.map(({ id }) => id),
  ).map(callOf);
  expect(done.length).toBeGreaterThan(12);
  expect(want.filter((one) => !learntOf(operations).map(callOf).includes(one))).toEqual([]);
  const words = Object.values(typedWords).flatMap((one) =>
    typeof one === 'object' ? Object.values(one) : one,
  );
  const shown = JSON.stringify(operations);
  const isFree = (word: string) => !['custom', 'publish.complete'].includes(word);
  expect(words.filter((word) => isFree(word) && shown.includes(word))).toEqual([]);
  expect(learnRecording(exchanges, { baseUrl }).operations.length).toBeGreaterThanOrEqual(operations.length);
});

async function record(profile: Profile) {
  const mock = await startMock({ profile, limits: 'off' });
  onTestFinished(() => mock.close());
  const [tenant] = mock.tenants;
  const [user] = tenant?.users ?? [];
  if (!tenant || !user) throw new Error('the world has no user');
  const { baseUrl } = mock;
  const called = await callOperations({ baseUrl, profile, user, siteId: Number(tenant.sites[0]?.id) });
  return { ...called, baseUrl };
}

/** Method, path, status, and whether anybody may call it; names of fields may be such that nobody would give them. */
function callOf(line: string): string {
  return line.replace(/ query .*/s, '');
}
