import { describe, expect, test } from 'vitest';
import { basePath } from '../http/paths.ts';
import { openMock } from '../testing/open-mock.ts';

function listSites({ app }: ReturnType<typeof openMock>, authorization: string | undefined) {
  return app.inject({
    url: `${basePath}/tenant/sites`,
    headers: authorization === undefined ? {} : { authorization },
  });
}

test.each(['Bearer', 'bearer', 'BEARER', 'Bearer '])('accepts the scheme as "%s"', async (scheme) => {
  const mock = openMock();
  expect((await listSites(mock, `${scheme} ${mock.harbourKey}`)).json().code).toBe(0);
});

describe('refuses', () => {
  test.each([
    ['no header', undefined, 'the Authorization header is missing; expected "Authorization: Bearer <token>"'],
    ['another scheme', 'Basic bWVpOnB3', 'the Authorization header is not of the form "Bearer <token>"'],
    ['no token', 'Bearer', 'the Authorization header is not of the form "Bearer <token>"'],
    ['two tokens', 'Bearer a b', 'the Authorization header is not of the form "Bearer <token>"'],
    ['an invented token', 'Bearer st_0123', 'the token is not known here, or it was ended'],
    ['an invented key', 'Bearer sp_0123', 'the token is not known here, or it was ended'],
    ['the name of a property of objects', 'Bearer __proto__', 'the token is not known here, or it was ended'],
  ])('%s', async (_case, header, message) => {
    const response = await listSites(openMock(), header);
    expect(response.json()).toEqual({
      code: 40100,
      message,
      trace_id: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    expect([response.statusCode, response.headers['www-authenticate']]).toEqual([401, 'Bearer']);
  });
});

test('a session token expires after its lifetime, to the millisecond', async () => {
  const mock = openMock();
  const { values } = await mock.perform('login', { ...mock.mei });
  const codes = [];
  for (const elapsed of [7_199_999, 7_200_000]) {
    mock.clock.time = Date.parse('2026-01-02T03:04:05Z') + elapsed;
    codes.push((await mock.perform('listSites', {}, String(values.token))).envelope);
  }
  expect(codes).toMatchObject([
    { code: 0 },
    {
      code: 40101,
      message: 'the session token expired at 2026-01-02T05:04:05.000Z; renew it with POST /auth/refresh',
    },
  ]);
});

test('an API key does not expire', async () => {
  const mock = openMock();
  mock.clock.time += 10 * 365 * 86_400_000;
  expect((await mock.perform('listSites', {}, mock.harbourKey)).envelope.code).toBe(0);
});

test('a refusal does not repeat the token', async () => {
  const response = await listSites(openMock(), 'Bearer sp_leaked-secret');
  expect(response.body).not.toContain('leaked-secret');
});
