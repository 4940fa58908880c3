import { createContext, runInContext } from 'node:vm';
import { expect, test } from 'vitest';
import signatures from '../openapi/vectors/signatures.json' with { type: 'json' };
import { event, headersOf, reasonOf, secret, signatureOf, text } from './testing.ts';
import { type WebhookHeaders, WebhookVerificationError } from './verification.ts';
import { verifyWebhook, verifyWebhookOrThrow } from './verify-webhook.ts';

const right = signatureOf(text);
// The sha256sum of the body.
const key = 'c168baed70e471a982e6194cc378d287211653c556be1826e1f48bc7c4807d48';

test.for(signatures.vectors)('$id: verifies the vector as stated', async (vector) => {
  const { verdict, reason, signature, is_event } = vector;
  const result = await verifyWebhook({
    body: Buffer.from(vector.body_base64, 'base64'),
    headers: signature === null ? {} : { 'X-Webhook-Signature': signature },
    secret: vector.secret,
    ids: 'string',
  });
  if (verdict === 'invalid') expect(result).toMatchObject({ ok: false, reason });
  else if (is_event) expect(result).toMatchObject({ ok: true });
  else if (vector.id !== 'bom') expect(result).toMatchObject({ ok: false, reason: 'not-an-event' });
});

test('returns the event, its key and the index of the secret', async () => {
  const result = await verifyWebhook({ body: text, headers: headersOf(text), secret });
  expect(result).toEqual({ ok: true, event, idempotencyKey: key, secretIndex: 0 });
});

test.for<[string, string | ArrayBuffer | ArrayBufferView]>([
  ['a text', text],
  ['a Buffer', Buffer.from(text)],
  ['a Uint8Array', new TextEncoder().encode(text)],
  ['an ArrayBuffer', new TextEncoder().encode(text).buffer],
  ['a DataView', new DataView(new TextEncoder().encode(text).buffer)],
  ['a part of a larger buffer', Buffer.from(`before${text}after`).subarray(6, 6 + Buffer.byteLength(text))],
  [
    'an ArrayBuffer of another realm',
    runInContext(`Uint8Array.from([${[...Buffer.from(text)]}]).buffer`, createContext()),
  ],
])('accepts %s', async ([, body]) => {
  expect(await verifyWebhook({ body, headers: headersOf(text), secret })).toMatchObject({ ok: true, event });
});

test.for([
  [{ ...event }, 'an object'],
  [[event], 'an array'],
  [undefined, 'missing'],
  [null, 'missing'],
  [42, 'a number'],
] as const)('refuses the body %j as not raw, with any headers', async ([body, what]) => {
  // @ts-expect-error: the types refuse it as well
  const result = await verifyWebhook({ body, headers: {}, secret });
  expect(result).toEqual({
    ok: false,
    reason: 'wrong-body-type',
    message: `the body is ${what}; pass the raw body, not the parsed one`,
  });
});

test('is not affected by a buffer that changes during verification', async () => {
  const body = Buffer.from(text);
  const result = verifyWebhook({ body, headers: headersOf(text), secret });
  body.fill(0x20);
  expect(await result).toMatchObject({ ok: true, event });
});

test.for([
  [['new', 'old'], 'old', 1],
  [['new', 'old'], 'new', 0],
  [['same', 'same'], 'same', 0],
] as const)(
  'of the secrets %j the one that signed, %s, is number %i',
  async ([secrets, one, secretIndex]) => {
    const result = await verifyWebhook({ body: text, headers: headersOf(text, one), secret: secrets });
    expect(result).toMatchObject({ ok: true, secretIndex });
  },
);

test('refuses a secret that is not one of the given ones', async () => {
  const result = await verifyWebhook({
    body: text,
    headers: headersOf(text, 'older'),
    secret: ['new', 'old'],
  });
  expect(result).toMatchObject({
    reason: 'mismatch',
    message: expect.stringContaining('any of the 2 secrets'),
  });
});

test.for([[''], [[]], [['new', '']], [undefined], [[undefined]]])(
  'the secret %j is refused as a mistake',
  async ([secret]) => {
    // @ts-expect-error: the types refuse some of them as well
    const result = verifyWebhook({ body: text, headers: headersOf(text), secret });
    await expect(result).rejects.toThrow(TypeError);
    await expect(result).rejects.toThrow('needs the signing secret of the subscription');
  },
);

test('accepts a late attempt, and one with a renewed header timestamp', async () => {
  const body = JSON.stringify({ ...event, timestamp: '2001-01-01T00:00:00Z' });
  const keys = ['978307200', '1767294245', '1767294245000'].map(async (timestamp) => {
    const headers = { ...headersOf(body), 'x-webhook-timestamp': timestamp };
    const result = await verifyWebhook({ body, headers, secret });
    return result.ok && result.idempotencyKey;
  });
  expect(new Set(await Promise.all(keys)).size).toBe(1);
});

test('no message contains the secret or a signature', async () => {
  const wrong = signatureOf(text, 'wrong');
  const requests = [
    { body: text, headers: { 'x-webhook-signature': wrong } },
    { body: text, headers: { 'x-webhook-signature': `sha1=${wrong}` } },
    { body: 'x', headers: headersOf('x') },
  ];
  for (const request of requests) {
    const result = await verifyWebhook({ ...request, secret });
    const said = JSON.stringify(result);
    for (const hidden of [secret, wrong.slice(7), right.slice(7)]) expect(said).not.toContain(hidden);
  }
});

test('verifyWebhookOrThrow returns the same, or throws the reason', async () => {
  const taken = await verifyWebhookOrThrow({ body: text, headers: headersOf(text), secret });
  expect(taken.event).toEqual(event);
  const refused = verifyWebhookOrThrow({ body: text, headers: {}, secret });
  await expect(refused).rejects.toThrow(WebhookVerificationError);
  await expect(refused).rejects.toMatchObject({
    name: 'WebhookVerificationError',
    reason: 'missing-header',
    message: 'the push has no X-Webhook-Signature header, so it is not signed',
  });
});

test.for<[string, WebhookHeaders]>([
  ['Fetch headers', new Headers({ 'X-Webhook-Signature': right })],
  ['names in lower case, as Node has them', { host: 'a', 'x-webhook-signature': right }],
  ['the name as the document spells it', { 'X-Webhook-Signature': right }],
  ['the name in upper case', { 'X-WEBHOOK-SIGNATURE': right }],
  ['a list of one', { 'x-webhook-signature': [right] }],
  ['a record without a prototype', Object.assign(Object.create(null), { 'x-webhook-signature': right })],
  ['a header named get', { get: 'x', 'x-webhook-signature': right }],
])('reads %s', async ([, headers]) => {
  expect(await verifyWebhook({ body: text, headers, secret })).toMatchObject({ ok: true });
});

test.for<[string, WebhookHeaders, string]>([
  ['Fetch headers without it', new Headers(), 'missing-header'],
  ['undefined', { 'x-webhook-signature': undefined }, 'missing-header'],
  ['an empty list', { 'x-webhook-signature': [] }, 'missing-header'],
  ['inherited', Object.create({ 'x-webhook-signature': right }), 'missing-header'],
  ['twice in a list', { 'x-webhook-signature': [right, right] }, 'malformed-header'],
  [
    'twice in unlike case',
    { 'x-webhook-signature': right, 'X-Webhook-Signature': right },
    'malformed-header',
  ],
  [
    'twice in Fetch headers',
    new Headers([
      ['x-webhook-signature', right],
      ['x-webhook-signature', right],
    ]),
    'malformed-header',
  ],
  ['a line feed at the end', { 'x-webhook-signature': `${right}\n` }, 'malformed-header'],
])('refuses the header: %s', async ([, headers, want]) => {
  expect(await reasonOf({ body: text, headers })).toBe(want);
});

test('takes the event from the body, not from the unsigned headers', async () => {
  const headers = {
    ...headersOf(text),
    'x-webhook-event': 'content.delete',
    'x-webhook-timestamp': 'yesterday',
  };
  expect(await verifyWebhook({ body: text, headers, secret })).toMatchObject({
    event: { event: 'publish.complete' },
  });
});
