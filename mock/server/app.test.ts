import { expect, test } from 'vitest';
import { loadProfile, makeProfile, statedValues } from '../../openapi/profile.ts';
import { exchangeRaw, listen, openMock, profileWith, sendLines } from '../testing/open-mock.ts';
import { speak } from './speak.ts';

async function ask(line: string) {
  const answer = await sendLines(openMock(), [`${line} HTTP/1.1`, 'Host: x']);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  return answer;
}

test.each([
  ['POST', '/', '/'],
  ['GET', '/api/v1', '/api/v1'],
  ['POST', '/api/v1/auth/tenant/login/', '/api/v1/auth/tenant/login/'],
  ['POST', '/api/v1/Auth/tenant/login', '/api/v1/Auth/tenant/login'],
  ['POST', '/api/v2/auth/tenant/login', '/api/v2/auth/tenant/login'],
  ['DELETE', '/api/v1/nothing?token=secret', '/api/v1/nothing'],
  ['PROPFIND', '/nothing', '/nothing'],
])('%s %s gets 404 for an unknown path', async (method, path, shown) => {
  const { status, envelope } = await ask(`${method} ${path}`);
  const message = `there is no operation at ${method} "${shown}"`;
  expect([status, envelope]).toMatchObject([404, { code: 40403, message }]);
});

test.each([
  ['GET', '/auth/refresh', 'POST'],
  ['OPTIONS', '/auth/refresh', 'POST'],
  ['TRACE', '/auth/refresh', 'POST'],
  ['QUERY', '/auth/refresh', 'POST'],
  ['PROPFIND', '/auth/refresh', 'POST'],
  ['PATCH', '/tenant/sites', 'GET, POST'],
  ['PUT', '/tenant/sites/101/webhooks?x', 'GET, POST'],
])('%s %s gets 405 and allows %s', async (method, path, allow) => {
  const { status, headers, envelope } = await ask(`${method} /api/v1${path}`);
  const message = `"/api/v1${path.replace('?x', '')}" does not support ${method}; use ${allow}`;
  expect([status, headers.allow, envelope.message]).toEqual([405, allow, message]);
});

test('refuses HEAD without a body', async () => {
  const { status, headers, body } = await ask('HEAD /api/v1/tenant/sites');
  expect([status, headers.allow, body]).toEqual([405, 'GET, POST', '']);
});

test.each(['/api/v1/%zz', '/api/v1/tenant/sites/%E0%A4', '/%'])(
  'refuses the malformed path %s',
  async (url) => {
    const response = await openMock().app.inject({ url });
    expect([response.statusCode, response.json().code]).toEqual([400, 40000]);
  },
);

test('treats a very long identifier in the path as unknown', async () => {
  const { perform, harbourKey } = openMock();
  const { envelope } = await perform('getSite', { siteID: 'a'.repeat(10_000) }, harbourKey);
  expect(envelope).toMatchObject({ code: 40400, message: `there is no site "${'a'.repeat(80)}…" here` });
});

test.each(['/sites/{siteID}:read', '/s-{siteID}.json', '/{siteID}_x/y'])(
  'serves a profile with the path %s',
  async (path) => {
    const call = { method: 'GET', path, id: '/data/id' };
    const { perform, harbourKey, app } = openMock(profileWith({ 'operation.get-site': call }));
    expect((await perform('getSite', { siteID: 101 }, harbourKey)).values).toEqual({ id: 101 });
    const url = `/api/v1${path.replace('{siteID}', '7')}`;
    expect((await app.inject({ method: 'PUT', url })).statusCode).toBe(405);
  },
);

test('answers an exception outside the pipeline in the envelope', async () => {
  const mock = openMock();
  mock.app.addHook('onRequest', () => {
    throw new Error('a broken hook');
  });
  const response = await mock.app.inject({ url: '/api/v1/tenant/sites' });
  expect([response.statusCode, response.json().code]).toEqual([500, 50000]);
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(mock.logged).toEqual([expect.stringContaining('a broken hook')]);
});

test('answers a request during shutdown in the envelope', async () => {
  const mock = openMock();
  const answered = Promise.withResolvers<void>();
  mock.app.addHook('preClose', () => answered.promise);
  await listen(mock.app);
  const closed = mock.app.close();
  const sent = 'GET /api/v1/nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  const { envelope } = await exchangeRaw(mock, [sent]);
  answered.resolve();
  await closed;
  expect(envelope.code).toBe(40403);
});

test('answers a malformed control path in plain JSON, outside the journal', async () => {
  const { app, service } = openMock();
  const response = await app.inject({ url: '/_mock/%zz' });
  const error = 'the path has an invalid percent-encoding';
  expect([response.statusCode, response.json()]).toEqual([400, { error }]);
  expect(service.journal.entries()).toEqual([]);
});

test('shares what it derives from equal profiles only', () => {
  const profile = loadProfile('nested-201-uuid');
  const read = (values: object, name = profile.name) =>
    makeProfile({ ...statedValues(profile), ...values }, { name, source: 'a store' });
  const same = read({});
  expect(same).not.toBe(profile);
  expect(speak(same)).toBe(speak(profile));
  expect(new Set([profile, read({ 'login.status': 200 }), read({}, 'other')].map(speak)).size).toBe(3);
});
