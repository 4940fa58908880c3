// What the types promise to programs. The compiler checks them.
import { expect, expectTypeOf, test } from 'vitest';
import type { EventName as GeneratedName } from '../openapi/generated/types.ts';
import type { EventName, WebhookEvent } from './event.ts';
import { event, headersOf, secret } from './testing.ts';
import { verifyWebhook } from './verify-webhook.ts';

test('an event is told apart by its name, and only the documented data is typed', () => {
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

test('an event has the members of section 6.3, and one of the seven names', () => {
  expectTypeOf<WebhookEvent['event']>().toEqualTypeOf<GeneratedName>();
  expectTypeOf<EventName>().toEqualTypeOf<WebhookEvent['event']>();
  expectTypeOf<WebhookEvent['site_id']>().toEqualTypeOf<number>();
  expectTypeOf<WebhookEvent['site_name'] | WebhookEvent['timestamp']>().toEqualTypeOf<string>();
});

test('a result is told apart by ok', async () => {
  const body = JSON.stringify(event);
  const result = await verifyWebhook({ body, headers: headersOf(body), secret });
  // @ts-expect-error: not before it is asked whether it is ok
  expect(result.event).toEqual(event);
  if (result.ok) {
    expectTypeOf(result.event).toEqualTypeOf<WebhookEvent>();
    // @ts-expect-error: nothing was refused
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

test('a parsed body is refused by the types', async () => {
  // @ts-expect-error: an object is no raw body
  const result = await verifyWebhook({ body: { ...event }, headers: {}, secret });
  expect(result).toMatchObject({ reason: 'wrong-body-type' });
});
