import { expect, test } from 'vitest';
import type { InboxStep } from '../world/entries.ts';
import { createEmptyWorld, type World } from '../world/world.ts';
import type { InboxRequest } from './inbox-request.ts';
import { configureInbox, type InboxSettings, openInbox } from './inboxes.ts';
import { receiveMessage } from './receive-message.ts';

function messagesOf({ messages }: World, inbox: string) {
  return [...messages.of(inbox).values()];
}

function openTestInbox(settings: InboxSettings = {}) {
  const world = createEmptyWorld(1, { mode: 'manual', time: 0 });
  const inbox = configureInbox(world, 'a', settings);
  function receive(given: Partial<InboxRequest> = {}, now = 0) {
    const request = { method: 'POST', path: '', headers: {}, body: Buffer.from('x'), ...given };
    return receiveMessage(world, 'a', { request, now });
  }
  return { world, inbox, messages: () => messagesOf(world, 'a'), receive };
}

const received = { status: 200, headers: { 'content-type': 'application/json' }, body: '{"received":true}' };
const nothing = { headers: {}, body: '' };

test('a message is recorded as received', () => {
  const { messages, receive } = openTestInbox();
  const headers = { 'content-type': 'text/plain', 'x-a': 'b' };
  expect(receive({ method: 'PUT', path: '/x?key=1', headers, body: Buffer.from('咖啡\ufeff') }, 7)).toEqual(
    received,
  );
  expect(messages()).toEqual([
    {
      inbox: 'a',
      id: 1,
      at: 7,
      method: 'PUT',
      path: '/x?key=1',
      headers,
      body: '咖啡\ufeff',
      answer: { status: 200, body: '{"received":true}' },
    },
  ]);
});

test('the first message creates the inbox', () => {
  const { world, receive } = openTestInbox();
  receive();
  receiveMessage(world, 'b', {
    request: { method: 'GET', path: '', headers: {}, body: Buffer.alloc(0) },
    now: 0,
  });
  expect(messagesOf(world, 'b')).toMatchObject([{ id: 1, method: 'GET', body: '' }]);
});

test('bytes that are not UTF-8 are recorded as base64', () => {
  const { messages, receive } = openTestInbox();
  receive({ body: Buffer.from([0x61, 0xff]) });
  expect(messages()[0]).toMatchObject({ bodyBase64: 'Yf8=' });
  expect(messages()[0]).not.toHaveProperty('body');
});

test('each entry of the script is used once, then the inbox answers by its kind', () => {
  const respond: InboxStep[] = [
    500,
    'timeout',
    'reset',
    { status: 302, headers: { location: '/y' } },
    { status: 201, body: 'done' },
  ];
  const { messages, receive } = openTestInbox({ respond });
  const outcomes = Array.from({ length: 7 }, () => receive());
  expect(outcomes).toEqual([
    { ...nothing, status: 500 },
    'timeout',
    'reset',
    { ...nothing, status: 302, headers: { location: '/y' } },
    { ...nothing, status: 201, body: 'done' },
    received,
    received,
  ]);
  expect(messages().map(({ answer }) => answer)).toEqual([
    { status: 500, body: '' },
    { error: 'timeout' },
    { error: 'reset' },
    { status: 302, body: '' },
    { status: 201, body: 'done' },
    { status: 200, body: '{"received":true}' },
    { status: 200, body: '{"received":true}' },
  ]);
});

test('with a secret the signature is verified, without effect on the answer', () => {
  const { messages, receive } = openTestInbox({ secret: 'secret' });
  const hex = '1b2c16b75bd2a870c114153ccda5bcfca63314bc722fa160d690de133ccbb9db';
  const headers = { 'x-webhook-signature': `sha256=${hex}` };
  expect(receive({ headers, body: Buffer.from('data') })).toEqual(received);
  expect(receive({ headers, body: Buffer.from('date') })).toEqual(received);
  expect(receive({ body: Buffer.from('data') })).toEqual(received);
  expect(messages().map(({ verified }) => verified)).toEqual([true, false, false]);
});

test('without a secret no signature is verified', () => {
  const { messages, receive } = openTestInbox();
  receive({ headers: { 'x-webhook-signature': 'sha256=00' } });
  expect(messages()[0]).not.toHaveProperty('verified');
});

test('the newest 1000 messages are kept, all are counted, and each inbox counts its own', () => {
  const { world, inbox, messages, receive } = openTestInbox();
  configureInbox(world, 'b', {});
  for (let count = 1; count <= 1002; count++) receive();
  expect(inbox.received).toBe(1002);
  expect(messages()).toHaveLength(1000);
  expect(messages().at(0)?.id).toBe(3);
  expect(messages().at(-1)?.id).toBe(1002);
  expect(openInbox(world, 'b').received).toBe(0);
});

test('a robot answers as its product does, unless there is a script', () => {
  const { inbox, messages, receive } = openTestInbox({ kind: 'feishu', respond: [500] });
  const body = Buffer.from('{"msg_type":"text","content":{"text":"x"}}');
  expect(receive({ body })).toEqual({ ...nothing, status: 500 });
  expect(receive({ body })).toMatchObject({ status: 200 });
  receive();
  const refused = '{"code":9499,"data":{},"msg":"Bad Request"}';
  const accepted = '{"StatusCode":0,"StatusMessage":"success","code":0,"data":{},"msg":"success"}';
  expect(messages().map(({ answer }) => 'body' in answer && answer.body)).toEqual(['', accepted, refused]);
  expect(inbox.robotState).toEqual({ times: [0, 0] });
});
