// The compiler checks these types.
import { expect, expectTypeOf, test } from 'vitest';
import type { EventName as GeneratedName } from '../openapi/generated/types.ts';
import type { EventName, WebhookEvent } from './event.ts';
import { event, headersOf, reasonOf, secret, text } from './testing.ts';
import { verifyWebhook } from './verify-webhook.ts';

test('the name discriminates events, and only documented data has a type', () => {
  expect(describeEvent({ ...event, event: 'publish.complete' })).toBe(12);
});

function describeEvent(push: WebhookEvent): unknown {
  switch (push.event) {
    case 'publish.complete':
      expectTypeOf(push.data.message).toEqualTypeOf<string>();
      expectTypeOf(push.data.pages).toEqualTypeOf<number>();
      expectTypeOf(push.data.version).toEqualTypeOf<number>();
      expectTypeOf(push.data.anything).toEqualTypeOf<unknown>();
      return push.data.pages;
    case 'form.submit':
      expectTypeOf(push.data).toEqualTypeOf<Record<string, unknown>>();
      return push.data.anything;
    default:
      return push.data;
  }
}

test('the type of an event has the members of section 6.3 and the seven names', () => {
  expectTypeOf<WebhookEvent['event']>().toEqualTypeOf<GeneratedName>();
  expectTypeOf<EventName>().toEqualTypeOf<WebhookEvent['event']>();
  expectTypeOf<WebhookEvent['site_id']>().toEqualTypeOf<number>();
  expectTypeOf<WebhookEvent['site_name'] | WebhookEvent['timestamp']>().toEqualTypeOf<string>();
});

test('`ok` discriminates results', async () => {
  const body = JSON.stringify(event);
  const result = await verifyWebhook({ body, headers: headersOf(body), secret });
  // @ts-expect-error: needs a check of `ok` first
  expect(result.event).toEqual(event);
  if (result.ok) {
    expectTypeOf(result.event).toEqualTypeOf<WebhookEvent>();
    // @ts-expect-error: a verified push has no reason
    expect(result.reason).toBeUndefined();
  } else {
    expectTypeOf(result.reason).toEqualTypeOf<
      | 'wrong-body-type'
      | 'missing-header'
      | 'malformed-header'
      | 'mismatch'
      | 'not-an-event'
      | 'unsafe-integer'
    >();
  }
});

test('the types refuse a parsed body', async () => {
  // @ts-expect-error: an object is not a raw body
  const result = await verifyWebhook({ body: { ...event }, headers: {}, secret });
  expect(result).toMatchObject({ reason: 'wrong-body-type' });
});

test('accepts unknown events and additional members unchanged', async () => {
  const body = JSON.stringify({ ...event, event: 'site.archived', data: { a: null }, region: 'eu' });
  const result = await verifyWebhook({ body, headers: headersOf(body), secret });
  expect(result).toMatchObject({
    ok: true,
    event: { event: 'site.archived', data: { a: null }, region: 'eu' },
  });
});

test('does not take a member "reason" or "ok" of an event for a refusal', async () => {
  const body = JSON.stringify({ ...event, reason: 'mismatch', ok: false });
  const result = await verifyWebhook({ body, headers: headersOf(body), secret });
  expect(result).toMatchObject({ ok: true, event: { ...event, reason: 'mismatch', ok: false } });
});

test.for([
  ['[]', 'is not a JSON object in UTF-8'],
  ['{"event":', 'is not a JSON object in UTF-8'],
  ['['.repeat(100_000), 'is not a JSON object in UTF-8'],
  ['{}', '"event" in its body is not a string'],
  [JSON.stringify({ ...event, event: 7 }), '"event" in its body is not a string'],
  [JSON.stringify({ ...event, timestamp: undefined }), '"timestamp" in its body is not a string'],
  [JSON.stringify({ ...event, site_id: '101' }), '"site_id" in its body is not an integer'],
  [JSON.stringify({ ...event, site_id: 1.5 }), '"site_id" in its body is not an integer'],
  [JSON.stringify({ ...event, site_name: null }), '"site_name" in its body is not a string'],
  [JSON.stringify({ ...event, data: [] }), '"data" in its body is not an object'],
  ['{"__proto__":{"event":"x"}}', '"event" in its body is not a string'],
] as const)('refuses the correctly signed body %.40s as not an event', async ([body, want]) => {
  const result = await verifyWebhook({ body, headers: headersOf(body), secret });
  expect(result).toMatchObject({ ok: false, reason: 'not-an-event', message: expect.stringContaining(want) });
});

test('refuses bytes that are not UTF-8 as not an event', async () => {
  const body = Buffer.from(text.replace('12 pages', 'Café'), 'latin1');
  expect(await reasonOf({ body, headers: headersOf(body) })).toBe('not-an-event');
});

test('omits a member named __proto__, so that a copy of the event changes no prototype', async () => {
  const body = text.replace('{"message"', '{"__proto__":{"isAdmin":true},"message"');
  const result = await verifyWebhook({ body, headers: headersOf(body), secret });
  expect(result).toMatchObject({ ok: true, event });
  expect(Object.assign({}, result.ok && result.event.data)).not.toHaveProperty('isAdmin');
});

test('survives 10,000 levels of nesting', async () => {
  const body = JSON.stringify({ ...event, data: {} }).replace(
    '{}',
    `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
  );
  expect(['not-an-event', undefined]).toContain(await reasonOf({ body, headers: headersOf(body) }));
});

// The vectors test that the signature includes it.
test('omits a byte order mark from the event', async () => {
  const body = `\ufeff${text}`;
  expect(await verifyWebhook({ body, headers: headersOf(body), secret })).toMatchObject({ ok: true, event });
});
