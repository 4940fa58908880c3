import { expect, test } from 'vitest';
import type { Schemas } from '../../openapi/generated/control-types.ts';
import { listenControl, openControl } from '../testing/open-control.ts';
import { sendLines } from '../testing/open-mock.ts';

test.each([
  ['GET', ''],
  ['PATCH', ''],
  ['HEAD', ''],
  ['OPTIONS', ''],
  ['PUT', '/a/b%20c?key=abc'],
  ['DELETE', '/a'],
  ['POST', '?x'],
] as const)('records %s with the path "%s" as a message', async (method, path) => {
  const { app, call } = openControl();
  const answer = await app.inject({ method, url: `/_mock/inbox/%E6%B5%B7${path}` });
  expect(answer.statusCode).toBe(200);
  expect((await call('GET /inbox/海/messages')).body).toMatchObject({
    messages: [{ id: 1, method, path, answer: { status: 200 } }],
    received: 1,
    dropped: 0,
  });
});

test('records messages as sent, gives the prepared answers, then accepts', async () => {
  const { app, call } = openControl();
  const found = { status: 302, headers: { location: '/there' }, body: 'moved' };
  await call('PUT /inbox/ci', { respond: [500, { status: 404 }, found] });
  const headers = { 'content-type': 'text/plain', 'x-note': 'a' };
  const answers = [];
  for (const payload of ['{"a": 1,\n"a": 2}', '', '咖啡\ufeff', Buffer.from([0xff, 0x00])])
    answers.push(await app.inject({ method: 'POST', url: '/_mock/inbox/ci', headers, payload }));
  expect(answers.map(({ statusCode, body }) => [statusCode, body])).toEqual([
    [500, ''],
    [404, ''],
    [302, 'moved'],
    [200, '{"received":true}'],
  ]);
  expect(answers[2]?.headers.location).toBe('/there');
  const { body } = await call<Schemas['Messages']>('GET /inbox/ci/messages');
  expect(body.messages).toMatchObject([
    { id: 1, at: '2026-01-02T03:04:05.000Z', headers: { 'x-note': 'a' }, body: '{"a": 1,\n"a": 2}' },
    { id: 2, body: '', answer: { status: 404, body: '' } },
    { id: 3, body: '咖啡\ufeff', answer: { status: 302, body: 'moved' } },
    { id: 4, body_base64: '/wA=' },
  ]);
});

test('shows the settings without the secrets', async () => {
  const { call, control } = openControl();
  const robot = { token: 'robot-token', sign_secret: 'SEC-robot', keywords: ['发布'], wording: 'documented' };
  const settings = { kind: 'dingtalk', respond: ['reset'] };
  const { body, text } = await call('PUT /inbox/ci', { ...settings, secret: 'correct-horse', robot });
  expect(body).toEqual({
    ...settings,
    ...{ name: 'ci', url: control.inbox('ci').url, has_secret: true },
    robot: { has_token: true, has_sign_secret: true, keywords: ['发布'], wording: 'documented' },
  });
  for (const secret of ['correct-horse', 'robot-token', 'SEC-robot']) expect(text).not.toContain(secret);
  const { robot: _, ...noted } = body;
  expect((await call('GET /inboxes')).body).toEqual({ inboxes: [{ ...noted, received: 0, respond: 1 }] });
});

test('leaves a message unanswered, or resets its connection, on request', async () => {
  const { call, inboxUrl } = await listenControl();
  await call('PUT /inbox/ci', { respond: ['timeout', 'reset'] });
  const send = (ms: number) => fetch(inboxUrl, { method: 'POST', signal: AbortSignal.timeout(ms) });
  await expect(send(100)).rejects.toThrow('due to timeout');
  await expect(send(5000)).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
  const logged = [{ answer: { error: 'timeout' } }, { answer: { error: 'reset' } }];
  expect((await call('GET /inbox/ci/messages')).body).toMatchObject({ messages: logged });
  await call('DELETE /inbox/ci');
  expect((await call('GET /inbox/ci/messages')).body).toEqual({ messages: [], received: 0, dropped: 0 });
});

test.each(['.', '..', '%2E%2E'])('refuses an inbox named %s', async (name) => {
  const { app, service } = openControl();
  const { status } = await sendLines({ app }, [`POST /_mock/inbox/${name} HTTP/1.1`, 'host: a']);
  expect([status, service.world.inboxes.size]).toEqual([400, 0]);
});
