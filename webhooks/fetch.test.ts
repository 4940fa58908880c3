import { expect, test } from 'vitest';
import { createFetchHandler } from './fetch.ts';
import type { ReceiverOptions } from './receive.ts';
import { event, headersOf, secret, signatureOf, text } from './testing.ts';

const url = 'https://example.com/webhooks';

function openHandler(options: Partial<ReceiverOptions> = {}) {
  const seen: unknown[][] = [];
  const onEvent = (...given: unknown[]) => void seen.push(given);
  const handle = createFetchHandler({ secret, onEvent, ...options });
  const send = (body: string, headers: Record<string, string>) =>
    handle(new Request(url, { method: 'POST', body, headers }));
  return { handle, seen, send };
}

test('hands on an event and answers 200', async () => {
  const { send, seen } = openHandler();
  const answer = await send(text, headersOf(text));
  expect([answer.status, await answer.json()]).toEqual([200, { received: true }]);
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(seen).toEqual([[event, { idempotencyKey: expect.stringMatching(/^[\da-f]{64}$/), secretIndex: 0 }]]);
});

test.for([
  ['no signature', text, {}, 401, 'missing-header'],
  ['another algorithm', text, { 'x-webhook-signature': 'sha1=00' }, 401, 'malformed-header'],
  ['another secret', text, headersOf(text, 'other'), 401, 'mismatch'],
  ['no event', '[]', headersOf('[]'), 400, 'not-an-event'],
  ['an empty body', '', headersOf(''), 400, 'not-an-event'],
] as const)('%s is refused, and the event is not handed on', async ([, body, headers, status, reason]) => {
  const rejected: string[] = [];
  const { send, seen } = openHandler({ onRejected: (error) => void rejected.push(error.reason) });
  const answer = await send(body, headers);
  expect([answer.status, await answer.json()]).toEqual([
    status,
    { error: reason, message: expect.any(String) },
  ]);
  expect(seen).toEqual([]);
  expect(rejected).toEqual([reason]);
});

test('a request without a body is verified as one of no bytes', async () => {
  const { handle } = openHandler();
  const answer = await handle(new Request(url, { method: 'POST', headers: headersOf('') }));
  expect(await answer.json()).toMatchObject({ error: 'not-an-event' });
});

test('no answer holds the signature that would be right', async () => {
  const { send } = openHandler();
  const answer = await send(text, headersOf(text, 'other'));
  expect(await answer.text()).not.toContain(signatureOf(text).slice(7, 20));
});

test('bytes that are no UTF-8 reach the verification as they came', async () => {
  const { handle } = openHandler();
  const body = Buffer.from([0x22, 0xff, 0x22]);
  const answer = await handle(new Request(url, { method: 'POST', body, headers: headersOf(body) }));
  expect(await answer.json()).toMatchObject({ error: 'not-an-event' });
});

test('what is longer than the limit is refused with 413, what is as long is taken', async () => {
  const limit = Buffer.byteLength(text);
  const { send } = openHandler({ maxBytes: limit });
  expect((await send(text, headersOf(text))).status).toBe(200);
  expect((await send(`${text} `, headersOf(`${text} `))).status).toBe(413);
});

test('another method is refused with 405', async () => {
  const answer = await openHandler().handle(new Request(url));
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
});

test('a request that was read before is the mistake of who set it up', async () => {
  const { handle } = openHandler();
  const request = new Request(url, { method: 'POST', body: text, headers: headersOf(text) });
  await request.json();
  await expect(handle(request)).rejects.toThrow('the body was read before the webhook handler');
});

test('what the handler of events throws is thrown, so that the push comes again', async () => {
  const { send } = openHandler({ onEvent: () => Promise.reject(new Error('the queue is full')) });
  await expect(send(text, headersOf(text))).rejects.toThrow('the queue is full');
});

test('is made without a secret, as where a build loads it, and refuses to verify without one', async () => {
  const { send } = openHandler({ secret: '' });
  await expect(send(text, headersOf(text))).rejects.toThrow('needs the signing secret');
});
