import { expect, test } from 'vitest';
import { loadProfile } from '../../openapi/profile.ts';
import { openMock, profileWith, subscriptionRequest, type TestMock } from '../testing/open-mock.ts';

const publish = { method: 'POST', path: '/sites/{siteID}/publish', version: '/data/version' };

function openSharedBy(fail: object, own: object): () => TestMock {
  const calls = {
    'operation.publish-site': { ...publish, ...own },
    'operation.fail-publish': { ...publish, ...fail },
  };
  return () => openMock(profileWith(calls));
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

const note = { note: '{note}' };
const flag = openSharedBy({ body: { ...note, fail: true } }, { body: note });
const mode = openSharedBy({ body: { ...note, mode: 'fail' } }, { body: { ...note, mode: 'live' } });
const noBody = openSharedBy({ body: { fail: [1] } }, {});
const query = openSharedBy(
  { body: note, query: { action: 'fail' } },
  { body: note, path: `${publish.path}?action=publish` },
);

test.for([
  ['a flag', flag, { note: 'a', fail: true }, 0, 'failPublish'],
  ['a flag', flag, { note: 'a' }, 0, 'publishSite'],
  ['a flag', flag, { note: 'a', fail: false }, 0, 'publishSite'],
  ['a flag', flag, { note: 'a', other: 1 }, 0, 'publishSite'],
  ['a mode', mode, { note: 'a', mode: 'fail' }, 0, 'failPublish'],
  ['a mode', mode, { note: 'a', mode: 'live' }, 0, 'publishSite'],
  ['a mode', mode, { note: 'a', mode: 'other' }, 40002, 'publishSite'],
  ['a mode', mode, { note: 'a' }, 40002, 'publishSite'],
  ['a mode', mode, { note: 1, mode: 'fail' }, 40002, 'failPublish'],
  ['a mode', mode, '{', 40001, 'publishSite'],
  ['a mode', mode, '', 40002, 'publishSite'],
  ['having no body', noBody, '', 0, 'publishSite'],
  ['having no body', noBody, { fail: [1] }, 0, 'failPublish'],
  ['a query', query, { note: 'a' }, 0, 'failPublish', '?action=fail'],
  ['a query', query, { note: 'a' }, 0, 'publishSite', '?action=publish'],
  ['a query', query, { note: 'a' }, 40002, 'publishSite', '?action=x'],
  ['a query', query, { note: 'a' }, 40002, 'publishSite'],
] as const)('distinguished by %s, $2 gets $3 from $4', async ([, open, body, code, operation, search]) => {
  expect(await post(open(), body, search)).toEqual({ code, operation });
});

test('both operations count towards one limit, each with its own repetitions', async () => {
  const mock = flag();
  const codes: number[] = [];
  for (let count = 0; count < 11; count++)
    codes.push((await post(mock, { note: `${count}`, fail: count % 2 === 1 })).code);
  expect(codes).toEqual([...Array<number>(10).fill(0), 42900]);
});

test.for([
  ['session', 'session', 0],
  ['session', 'api-key', 40100],
  ['api-key', 'session', 40100],
  ['api-key', 'api-key', 0],
] as const)('with auth %s, a token of the kind %s gets %i', async ([auth, kind, code]) => {
  const call = { method: 'GET', path: '/s', auth };
  const { codeOf, logIn, harbourKey } = openMock(profileWith({ 'operation.list-sites': call }));
  expect(await codeOf('listSites', {}, kind === 'session' ? await logIn() : harbourKey)).toBe(code);
});

test.for([
  ['webhookId={id}&scope=all', 0],
  ['scope=all&webhookId={id}&more=1', 0],
  ['webhookId={id}', 40002],
  ['webhookId={id}&scope=some', 40002],
  ['scope=all', 40002],
  ['', 40002],
] as const)('the push log called with the query "%s" gets %i', async ([search, want]) => {
  const mock = openMock(loadProfile('flags-and-cursors'));
  const { values } = await mock.perform('createSubscription', subscriptionRequest(), mock.harbourKey);
  const url = `/api/v1/tenant/push-log?${search.replace('{id}', encodeURIComponent(String(values.id)))}`;
  const response = await mock.app.inject({ url, headers: { authorization: `Bearer ${mock.harbourKey}` } });
  expect(response.json<{ code: number }>().code).toBe(want);
});
