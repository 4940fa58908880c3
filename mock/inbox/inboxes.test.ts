import { expect, test } from 'vitest';
import type { Schemas } from '../../openapi/generated/control-types.ts';
import vectors from '../../openapi/vectors/signatures.json' with { type: 'json' };
import { listenControl, openControl } from '../testing/open-control.ts';
import { sendLines } from '../testing/open-mock.ts';
import type { InboxStep } from '../world/entries.ts';
import { emptyWorld } from '../world/testing.ts';
import { type InboxRequest, isSignedBy } from './inbox-request.ts';
import { clearInbox, configureInbox, type InboxSettings, openInbox, receiveMessage } from './inboxes.ts';

function open(settings?: InboxSettings, name = 'a') {
  const world = emptyWorld();
  const configure = (changed: InboxSettings) => configureInbox(world, name, changed);
  if (settings) configure(settings);
  const receive = (given: Partial<InboxRequest> = {}, now = 0) => {
    const request = { method: 'POST', path: '', headers: {}, body: Buffer.from('x'), ...given };
    return receiveMessage(world, name, { request, now }).outcome;
  };
  const inbox = () => openInbox(world, name);
  return { world, configure, receive, inbox, messages: () => [...world.messages.of(name).values()] };
}

const plain = { kind: 'plain', respond: [], robot: {}, robotState: { times: [] }, received: 0 };

test('evicts the oldest of more than 1000 inboxes', () => {
  const { world, receive } = open(undefined, 'inbox 0');
  receive();
  for (let count = 1; count <= 1002; count++) openInbox(world, `inbox ${count}`);
  expect([world.inboxes.size, world.messages.size]).toEqual([1000, 0]);
  const names = [...world.inboxes.keys()];
  expect([names.at(0), names.at(-1)]).toEqual(['inbox 3', 'inbox 1002']);
});

test('new settings replace old ones, other settings stay, and the given script is copied', () => {
  const { inbox, configure, receive } = open({ secret: 's', kind: 'wecom', robot: { token: 't' } });
  const respond: InboxStep[] = [500, 'reset'];
  configure({ respond, robot: { wording: 'documented' } });
  expect(inbox()).toMatchObject({ secret: 's', kind: 'wecom', respond: [500, 'reset'] });
  expect(inbox().robot).toEqual({ wording: 'documented' });
  receive();
  expect([inbox().respond, respond]).toEqual([['reset'], [500, 'reset']]);
});

test('a change of the robot kind resets its count', () => {
  const { inbox, configure, receive } = open({ kind: 'wecom' });
  receive({}, 7);
  configure({ kind: 'wecom', robot: { token: 't' } });
  expect(inbox().robotState).toEqual({ times: [7] });
  configure({ kind: 'feishu' });
  expect(inbox().robotState).toEqual({ times: [] });
});

test('clearing removes messages, script and counts, but not the settings', () => {
  const settings = { kind: 'wecom', secret: 's', robot: { token: 't' } } as const;
  const { world, inbox, receive } = open({ ...settings, respond: [500, 500] });
  receive();
  clearInbox(world, 'a');
  expect(inbox()).toEqual({ ...plain, ...settings });
  clearInbox(world, 'unknown');
  expect([world.messages.size, world.inboxes.size]).toEqual([0, 1]);
});

test('stores the newest 1000 messages, and counts all for each inbox', () => {
  const { world, inbox, messages, receive } = open({});
  for (let count = 1; count <= 1002; count++) receive();
  const ids = messages().map(({ id }) => id);
  expect([inbox().received, ids.length, ids.at(0), ids.at(-1)]).toEqual([1002, 1000, 3, 1002]);
  expect(openInbox(world, 'b').received).toBe(0);
});

test('a robot answers like its product, unless there is a script', () => {
  const { inbox, messages, receive } = open({ kind: 'feishu', respond: [500] });
  const body = Buffer.from('{"msg_type":"text","content":{"text":"x"}}');
  expect(receive({ body })).toEqual({ status: 500, headers: {}, body: '' });
  expect(receive({ body })).toMatchObject({ status: 200 });
  receive();
  const refused = '{"code":9499,"data":{},"msg":"Bad Request"}';
  const accepted = '{"StatusCode":0,"StatusMessage":"success","code":0,"data":{},"msg":"success"}';
  expect(messages().map(({ answer }) => 'body' in answer && answer.body)).toEqual(['', accepted, refused]);
  expect(inbox().robotState).toEqual({ times: [0, 0] });
});

test.each(vectors.vectors)('verifies the signature of the vector $id', (vector) => {
  const { secret, body_base64, signature, verdict } = vector;
  const body = Buffer.from(body_base64, 'base64');
  expect(isSignedBy(secret, body, signature ?? undefined)).toBe(verdict !== 'invalid');
});

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
  expect(answers[3]?.headers['content-type']).toBe('application/json; charset=utf-8');
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
