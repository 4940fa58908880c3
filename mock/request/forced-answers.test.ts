import { describe, expect, test } from 'vitest';
import { loadProfile } from '../../openapi/profile.ts';
import { openMock, type TestMock } from '../testing/open-mock.ts';
import { forcedAnswerFor } from './forced-answers.ts';

async function list({ app, harbourKey }: TestMock, prefer?: string) {
  const headers = { authorization: `Bearer ${harbourKey}`, ...(prefer !== undefined && { prefer }) };
  const response = await app.inject({ url: '/api/v1/tenant/sites', headers });
  return { status: response.statusCode, ...response.json<{ code: number; message: string }>() };
}

describe('a Prefer header', () => {
  test.each([
    ['code=42900', 429, 42900],
    ['code=429', 429, 42900],
    ['code="404"', 404, 40400],
    ['code=503', 503, 50000],
    ['code=77001', 500, 77001],
    ['respond-async, code=401; delay=1', 401, 40100],
    ['code=0', 200, 0],
    ['code=202', 202, 0],
    ['code=204', 200, 0],
    ['code=none', 200, 0],
    ['delay=1', 200, 0],
    ['', 200, 0],
  ])('%s', async (prefer, status, code) => {
    const answer = await list(openMock(), prefer);
    expect(answer).toMatchObject({ status, code });
    if (code !== 0)
      expect(answer.message).toMatch(/^this answer \([a-z-]+\) was asked for with the Prefer header$/);
  });

  test('a number that is a business code of the deployment is one, even if it looks like a status', async () => {
    const profile = loadProfile('always-200-camel-case');
    const mock = openMock(profile);
    expect(forcedAnswerFor(mock.service, 'listSites', 'code=1001')).toEqual({ code: 1001, by: 'prefer' });
    const { status, envelope } = await mock.perform('listSites');
    expect([status, envelope.code]).toEqual([200, 2001]);
  });

  test('a delay has an upper bound', () => {
    expect(forcedAnswerFor(openMock().service, 'login', 'delay=999999999')).toEqual({
      delayMs: 300_000,
      by: 'prefer',
    });
  });
});

describe('an override', () => {
  test('without a number of calls it stays, and precedes the header', async () => {
    const mock = openMock();
    mock.service.world.overrides.set(1, { operation: 'listSites', code: 40100 });
    const codes = [];
    for (let count = 0; count < 3; count++) codes.push((await list(mock, 'code=42900')).code);
    expect(codes).toEqual([40100, 40100, 40100]);
  });

  test('a status below 400 changes only the status of the answer', async () => {
    const mock = openMock();
    mock.service.world.overrides.set(1, { operation: 'createSite', status: 202 });
    const { status, values } = await mock.perform('createSite', { name: 'x' }, mock.harbourKey);
    expect([status, values.id, mock.service.world.sites.size]).toEqual([202, 1001, 4]);
  });
});
