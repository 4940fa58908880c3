import { expect, test } from 'vitest';
import { loadProfile } from '../../openapi/profile.ts';
import { openMock, type TestMock } from '../testing/open-mock.ts';
import { forcedAnswerFor } from './forced-answers.ts';

async function list({ app, harbourKey }: TestMock, prefer: string) {
  const headers = { authorization: `Bearer ${harbourKey}`, prefer };
  const response = await app.inject({ url: '/api/v1/tenant/sites', headers });
  return { status: response.statusCode, ...response.json<{ code: number; message: string }>() };
}

const asked = expect.stringMatching(/^this answer \([a-z-]+\) was asked for with the Prefer header$/);

test.each([
  ['code=42900', 429, 42900, asked],
  ['code=429', 429, 42900, asked],
  ['code="404"', 404, 40400, asked],
  ['code=503', 503, 50000, asked],
  ['code=77001', 500, 77001, asked],
  ['respond-async, code=401; delay=1', 401, 40100, asked],
  ['code=0', 200, 0, 'success'],
  ['code=202', 202, 0, 'success'],
  ['code=204', 200, 0, 'success'],
  ['code=none', 200, 0, 'success'],
  ['delay=1', 200, 0, 'success'],
  ['', 200, 0, 'success'],
])('the header "Prefer: %s" gets the status %i', async (prefer, status, code, message) => {
  expect(await list(openMock(), prefer)).toMatchObject({ status, code, message });
});

test.each([
  // A business code of the deployment, though it looks like a status.
  ['always-200-camel-case', 'code=1001', { code: 1001, by: 'prefer' }],
  // A delay has an upper bound.
  ['default', 'delay=999999999', { delayMs: 300_000, by: 'prefer' }],
])('under %s, the header "Prefer: %s" asks for %j', (profile, prefer, want) => {
  expect(forcedAnswerFor(openMock(loadProfile(profile)).service, 'listSites', prefer)).toEqual(want);
});

test('an override without a number of calls stays, and precedes the header', async () => {
  const mock = openMock();
  mock.service.world.overrides.set(1, { operation: 'listSites', code: 40100 });
  for (let count = 0; count < 3; count++)
    expect(await list(mock, 'code=42900')).toMatchObject({ code: 40100 });
});

test('an override of a status below 400 changes only the status of the answer', async () => {
  const mock = openMock();
  mock.service.world.overrides.set(1, { operation: 'createSite', status: 202 });
  const { status, values } = await mock.perform('createSite', { name: 'x' }, mock.harbourKey);
  expect([status, values.id, mock.service.world.sites.size]).toEqual([202, 1001, 4]);
});
