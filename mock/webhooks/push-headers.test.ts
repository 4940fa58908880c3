import { expect, test } from 'vitest';
import { profileWith } from '../testing/open-mock.ts';
import type { Delivery } from '../world/world.ts';
import { pushHeaders } from './push-headers.ts';

const now = 1_767_294_245_999;
const unsigned: Delivery = {
  id: 1,
  siteId: 1,
  subscriptionId: 1,
  event: 'form.submit',
  isTest: false,
  createdAt: 0,
  url: '',
  body: '',
  state: 'pending',
  channel: 'custom',
  retries: 0,
  attempts: [],
};
const signed: Delivery = { ...unsigned, signature: 'sha256=ab' };
const always = { 'Content-Type': 'application/json', 'User-Agent': 'sitepub-mock/0.2.0' };
const eventHeaders = { 'X-Webhook-Event': 'form.submit', 'X-Webhook-Timestamp': '1767294245' };

test.each<[string, Record<string, string>, Delivery, object]>([
  ['a signed push', {}, signed, { ...always, ...eventHeaders, 'X-Webhook-Signature': 'sha256=ab' }],
  [
    'milliseconds',
    { 'webhook.timestamp-unit': 'milliseconds' },
    signed,
    {
      ...always,
      ...eventHeaders,
      'X-Webhook-Timestamp': '1767294245999',
      'X-Webhook-Signature': 'sha256=ab',
    },
  ],
  ['an unsigned push', {}, unsigned, always],
  [
    'an unsigned push with event and timestamp',
    { 'webhook.unsigned-headers': 'event-and-timestamp' },
    unsigned,
    { ...always, ...eventHeaders },
  ],
  [
    'a charset',
    { 'webhook.content-type': 'application/json; charset=utf-8' },
    unsigned,
    { ...always, 'Content-Type': 'application/json; charset=utf-8' },
  ],
])('%s', (_case, values, delivery, want) => {
  expect(pushHeaders(delivery, now, profileWith(values))).toEqual(want);
});
