// Several operations at one method and path.
import { expect, test } from 'vitest';
import { loadProfile } from '../../openapi/profile.ts';
import { openMock, profileWith, subscriptionRequest, type TestMock } from '../testing/open-mock.ts';

const publish = { method: 'POST', path: '/sites/{siteID}/publish', version: '/data/version' };

function openShared(fail: object, own: object = { body: { note: '{note}' } }): TestMock {
  return openMock(
    profileWith({
      'operation.publish-site': { ...publish, ...own },
      'operation.fail-publish': { ...publish, body: { note: '{note}' }, ...fail },
    }),
  );
}

async function post(mock: TestMock, body: unknown, query = '') {
  const response = await mock.app.inject({
    method: 'POST',
    url: `/api/v1/sites/101/publish${query}`,
    headers: { authorization: `Bearer ${mock.harbourKey}`, 'content-type': 'application/json' },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const operation = mock.service.journal.entries().at(-1)?.exchange.operation;
  return { code: response.json<{ code: number }>().code, operation };
}

test.for([
  [{ note: 'a', fail: true }, 'failPublish'],
  [{ note: 'a' }, 'publishSite'],
  [{ note: 'a', fail: false }, 'publishSite'],
  [{ note: 'a', other: 1 }, 'publishSite'],
] as const)('a flag says which of two is meant: %j', async ([body, operation]) => {
  const mock = openShared({ body: { note: '{note}', fail: true } });
  expect(await post(mock, body)).toEqual({ code: 0, operation });
});

test.for([
  [{ note: 'a', mode: 'fail' }, 0, 'failPublish'],
  [{ note: 'a', mode: 'live' }, 0, 'publishSite'],
  [{ note: 'a', mode: 'other' }, 40002, 'publishSite'],
  [{ note: 'a' }, 40002, 'publishSite'],
  [{ note: 1, mode: 'fail' }, 40002, 'failPublish'],
  ['{', 40001, 'publishSite'],
  ['', 40002, 'publishSite'],
] as const)(
  'a mode says which of two is meant, and must be one of them: %j',
  async ([body, code, operation]) => {
    const fail = { body: { note: '{note}', mode: 'fail' } };
    const mock = openShared(fail, { body: { note: '{note}', mode: 'live' } });
    expect(await post(mock, body)).toEqual({ code, operation });
  },
);

test.for([
  ['', 'publishSite'],
  [{ fail: [1] }, 'failPublish'],
] as const)('one of two may have no body: %j', async ([body, operation]) => {
  const mock = openShared({ body: { fail: [1] } }, {});
  expect(await post(mock, body)).toEqual({ code: 0, operation });
});

test.for([
  ['?action=fail', 0, 'failPublish'],
  ['?action=publish', 0, 'publishSite'],
  ['?action=x', 40002, 'publishSite'],
  ['', 40002, 'publishSite'],
] as const)('a query says which of two is meant: "%s"', async ([query, code, operation]) => {
  const mock = openShared(
    { query: { action: 'fail' } },
    { path: `${publish.path}?action=publish`, body: { note: '{note}' } },
  );
  expect(await post(mock, { note: 'a' }, query)).toEqual({ code, operation });
});

test('both count against one limit, each with its own repetitions', async () => {
  const mock = openShared({ body: { note: '{note}', fail: true } });
  const codes: number[] = [];
  for (let count = 0; count < 11; count++) {
    const { code } = await post(mock, { note: `${count}`, ...(count % 2 && { fail: true }) });
    codes.push(code);
  }
  expect(codes).toEqual([...Array<number>(10).fill(0), 42900]);
});

test('an API key is refused where only a session token is taken, and the other way round', async () => {
  const mock = openMock(
    profileWith({
      'operation.list-keys': { method: 'GET', path: '/k', auth: 'session' },
      'operation.list-sites': { method: 'GET', path: '/s', auth: 'api-key' },
    }),
  );
  const session = String((await mock.perform('login', mock.mei)).values.token);
  const codeOf = async (id: 'listKeys' | 'listSites', token: string) =>
    (await mock.perform(id, {}, token)).envelope.code;
  expect([await codeOf('listKeys', session), await codeOf('listKeys', mock.harbourKey)]).toEqual([0, 40100]);
  expect([await codeOf('listSites', session), await codeOf('listSites', mock.harbourKey)]).toEqual([
    40100, 0,
  ]);
});

test.for([
  ['webhookId={id}&scope=all', 0],
  ['scope=all&webhookId={id}&more=1', 0],
  ['webhookId={id}', 40002],
  ['webhookId={id}&scope=some', 40002],
  ['scope=all', 40002],
  ['', 40002],
] as const)('the push log is asked for by the query "%s"', async ([query, want]) => {
  const mock = openMock(loadProfile('flags-and-cursors'));
  const { values } = await mock.perform('createSubscription', subscriptionRequest(), mock.harbourKey);
  const response = await mock.app.inject({
    method: 'GET',
    url: `/api/v1/tenant/push-log?${query.replace('{id}', encodeURIComponent(String(values.id)))}`,
    headers: { authorization: `Bearer ${mock.harbourKey}` },
  });
  expect(response.json<{ code: number }>().code).toBe(want);
});
