// Learns each called operation from recordings of different deployments, and no typed text.
import { expect, onTestFinished, test } from 'vitest';
import { startMock } from '../../mock/start.ts';
import type { Operation } from '../../openapi/operations.ts';
import type { Profile } from '../../openapi/profile.ts';
import type { DescribedOperation } from '../learn/described-operation.ts';
import { learnRecordings } from '../learn/recording/learn-recordings.ts';
import { parseHar } from '../learn/recording/read-har.ts';
import { isShownName } from '../learn/recording/shown.ts';
import { harOf } from '../learn/recording/testing/write-har.ts';
import { callOperations, typedWords } from '../learn/testing/call-operations.ts';
import { populationProfiles } from './population/profiles.ts';

const profiles = populationProfiles(8, 19, { guessable: true });

test.for(profiles.map((profile) => [profile.name, profile] as const))('%s', async ([, profile]) => {
  const { baseUrl, calls, done } = await record(profile);
  const { operations } = learnRecordings(parseHar(harOf(calls), 'console.har'), baseUrl);
  expect(done.length).toBeGreaterThan(12);
  const learnt = operations.flatMap(linesOf);
  expect(done.map(offeredLine).filter((line) => !learnt.includes(line))).toEqual([]);
  const words = Object.values(typedWords).flatMap((one) =>
    typeof one === 'object' ? Object.values(one) : one,
  );
  const shown = JSON.stringify(operations);
  expect(words.filter((word) => word !== 'custom' && shown.includes(word))).toEqual([]);
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

/** Method, path and each answered status. */
function linesOf({ method, path, answers }: DescribedOperation): string[] {
  return answers.map(({ status }) => `${method} ${path.replace(/\{\w+\}/g, '{}')} ${status}`);
}

/** The operation as a recording may show it. */
function offeredLine({ method, path, success }: Operation): string {
  const parts = path.split('/').map((part) => {
    const [, action = ''] = /^[^:]+:(\w+)$/.exec(part) ?? [];
    if (!isShownName(part) && isShownName(action)) return `{}:${action}`;
    return part === '' || isShownName(part) ? part : '{}';
  });
  return `${method} ${parts.join('/')} ${success.status}`;
}
