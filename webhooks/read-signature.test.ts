import { expect, test } from 'vitest';
import { headersOf, reasonOf, secret, signatureOf, text } from './testing.ts';
import type { WebhookHeaders } from './verification.ts';
import { verifyWebhook } from './verify-webhook.ts';

const right = signatureOf(text);

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
  ['no headers', {}, 'missing-header'],
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
  ['empty', { 'x-webhook-signature': '' }, 'malformed-header'],
])('refuses the header: %s', async ([, headers, want]) => {
  expect(await reasonOf({ body: text, headers })).toBe(want);
});

test('the body names the event, whatever the unsigned headers say', async () => {
  const headers = {
    ...headersOf(text),
    'x-webhook-event': 'content.delete',
    'x-webhook-timestamp': 'yesterday',
  };
  expect(await verifyWebhook({ body: text, headers, secret })).toMatchObject({
    event: { event: 'publish.complete' },
  });
});
