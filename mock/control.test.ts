import { expect, test } from 'vitest';
import { loadProfile, makeProfile } from '../openapi/profile.ts';
import { readDescription } from '../openapi/resolve.ts';
import { createValidator } from '../openapi/validate.ts';
import { basePath } from './paths.ts';
import { openMock, profileNames } from './testing.ts';

const judge = createValidator(readDescription('mock-control.yaml'));
const health = '/paths/~1_mock~1health/get/responses/200/content/application~1json/schema';
const noSuchCall = '/components/responses/NoSuchCall/content/application~1json/schema';

test.each(profileNames)('%s: health says what a suite needs to speak with the mock', async (name) => {
  const profile = loadProfile(name);
  const answer = (await openMock(profile).app.inject({ url: '/_mock/health' })).json();
  expect(judge(health, answer)).toEqual([]);
  expect(answer).toMatchObject({ ready: true, base_path: '/api/v1', profile: { name } });
  expect(answer).not.toHaveProperty('base_url');
  expect(makeProfile(answer.profile.values, { name, source: 'health' })).toEqual(profile);
});

test('lists the operations that are served, and no others', async () => {
  const operations = async (name: string) =>
    (await openMock(loadProfile(name)).app.inject({ url: '/_mock/health' })).json().operations;
  expect(await operations('documented-only')).toEqual([
    'login',
    'refresh',
    'createSubscription',
    'testSubscription',
  ]);
  expect(await operations('nested-201-uuid')).toEqual(
    expect.arrayContaining(['listSites', 'createSite', 'deleteSubscription']),
  );
  expect(await operations('nested-201-uuid')).not.toContain('getSite');
});

test.each([
  ['GET', '/_mock'],
  ['GET', '/_mock/'],
  ['GET', '/_mock/helth'],
  ['POST', '/_mock/health'],
] as const)('%s %s is answered in plain JSON with the calls that there are', async (method, url) => {
  const response = await openMock().app.inject({ method, url });
  expect([response.statusCode, response.json()]).toEqual([
    404,
    { error: `there is no ${method} ${url}; there is GET /_mock/health` },
  ]);
  expect(judge(noSuchCall, response.json())).toEqual([]);
});

test.each(['/_mockery', `${basePath}/_mock/health`])('%s is none of the control API', async (url) => {
  expect((await openMock().app.inject({ url })).json().code).toBe(40403);
});

test('control calls leave the world as it is', async () => {
  const { app, service } = openMock();
  const before = structuredClone(service.world);
  await app.inject({ url: '/_mock/health' });
  await app.inject({ url: '/_mock/nothing' });
  expect(service.world).toEqual(before);
});
