// What the generated types promise to programs. The compiler checks the types, so static.test.ts runs these too.
import { expect, expectTypeOf, test } from 'vitest';
import type { ErrorKind } from './error-codes.ts';
import type { GapValues } from './generated/gap-values.ts';
import type { Channel, Envelope, EventName, operations, paths, WebhookEvent } from './generated/types.ts';

test('a push is told apart by its event', () => {
  const push: WebhookEvent = {
    event: 'publish.complete',
    timestamp: '2026-01-02T03:04:05+08:00',
    site_id: 101,
    site_name: 'Harbour Café',
    data: { message: '12 pages', pages: 12, version: 3 },
  };
  expect(describePush(push)).toBe(12);
});

function describePush(push: WebhookEvent): unknown {
  switch (push.event) {
    case 'publish.complete':
      expectTypeOf(push.data.pages).toEqualTypeOf<number>();
      expectTypeOf(push.data.version).toEqualTypeOf<number>();
      expectTypeOf(push.data.message).toEqualTypeOf<string>();
      return push.data.pages;
    case 'content.publish':
      expectTypeOf(push.data.content_id).toEqualTypeOf<number | string>();
      // Only a publish that finished has pages; what else the data holds is not known.
      expectTypeOf(push.data.pages).toEqualTypeOf<unknown>();
      return push.data.title;
    default:
      return push.data;
  }
}

test('every push has what all have', () => {
  expectTypeOf<WebhookEvent['event']>().toEqualTypeOf<EventName>();
  expectTypeOf<WebhookEvent['site_id']>().toEqualTypeOf<number>();
  expectTypeOf<WebhookEvent['timestamp']>().toEqualTypeOf<string>();
});

test('there are seven events and four channels', () => {
  type OfContent = 'content.publish' | 'content.update' | 'content.delete';
  type OfVisitors = 'form.submit' | 'comment.created';
  type OfPublishes = 'publish.complete' | 'publish.failed';
  expectTypeOf<EventName>().toEqualTypeOf<OfContent | OfVisitors | OfPublishes>();
  expectTypeOf<Channel>().toEqualTypeOf<'custom' | 'wecom' | 'dingtalk' | 'feishu'>();
});

type BodyOf<Message extends { content: { 'application/json': unknown } }> =
  Message['content']['application/json'];
type SuccessOf<Id extends keyof operations> = operations[Id] extends {
  responses: { 200: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;
type Login = paths['/auth/tenant/login']['post'];
type LoginAnswer = BodyOf<Login['responses'][200]>;

test('every answer is an envelope', () => {
  expectTypeOf<Envelope>().toEqualTypeOf<{ code: number; message: string; trace_id: string }>();
  expectTypeOf<LoginAnswer>().toExtend<Envelope>();
  expectTypeOf<BodyOf<Login['responses']['default']>>().toExtend<Envelope>();
});

test('a login takes a username and a password and gives a token', () => {
  expectTypeOf<BodyOf<Login['requestBody']>>().toEqualTypeOf<{ username: string; password: string }>();
  expectTypeOf<LoginAnswer['data']['token']>().toEqualTypeOf<string>();
  expectTypeOf<LoginAnswer['code']>().toEqualTypeOf<0>();
  expectTypeOf<LoginAnswer['message']>().toEqualTypeOf<'success'>();
  expectTypeOf<LoginAnswer['trace_id']>().toEqualTypeOf<string>();
});

test('a misspelled field of an answer is an error, whatever the operation', () => {
  // What some keys are not, a record of anything would have.
  type OfSubscription = 'id' | 'url' | 'events' | 'channel';
  expectTypeOf<keyof LoginAnswer['data']>().toEqualTypeOf<'token'>();
  expectTypeOf<keyof SuccessOf<'listSites'>['data']>().toEqualTypeOf<'list' | 'total'>();
  expectTypeOf<keyof SuccessOf<'createSubscription'>['data']>().toEqualTypeOf<OfSubscription>();
});

test('a refresh takes no body', () => {
  expectTypeOf<Exclude<operations['refresh']['requestBody'], undefined>>().toEqualTypeOf<never>();
});

test('a subscription is asked for by its fields, and its identifier is a number', () => {
  type Fields = { url: string; events: EventName[]; channel: Channel; secret?: string };
  type Deletion = operations['deleteSubscription']['parameters']['path'];
  expectTypeOf<BodyOf<operations['createSubscription']['requestBody']>>().toEqualTypeOf<Fields>();
  expectTypeOf<SuccessOf<'createSubscription'>['data']['id']>().toEqualTypeOf<number>();
  expectTypeOf<Deletion>().toEqualTypeOf<{ siteID: number; subscriptionID: number }>();
});

test('a call may leave out what stands in its query', () => {
  type Query = operations['listDeliveries']['parameters']['query'];
  expectTypeOf<Query>().toEqualTypeOf<{ page?: number; page_size?: number } | undefined>();
  type Call = Exclude<GapValues['operation.list-deliveries'], string>;
  expectTypeOf<NonNullable<Call['query']>>().toEqualTypeOf<Record<string, string | number | boolean>>();
});

test('what a list shows beyond identifiers may be absent', () => {
  type Item = SuccessOf<'listDeliveries'>['data']['list'][0];
  type Attempt = { at?: string; duration_ms?: number; status?: number; error?: string; answer?: string };
  expectTypeOf<Item['id']>().toEqualTypeOf<number | string>();
  expectTypeOf<Item['state']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<Item['next_attempt_at']>().toEqualTypeOf<string | null | undefined>();
  expectTypeOf<NonNullable<Item['attempts']>[0]>().toEqualTypeOf<Attempt>();
});

test('a gap has the values that the list gives it', () => {
  expectTypeOf<GapValues['webhook.timestamp-unit']>().toEqualTypeOf<'seconds' | 'milliseconds'>();
  expectTypeOf<GapValues['subscription.id-type']>().toEqualTypeOf<'integer' | 'uuid' | 'string'>();
  expectTypeOf<GapValues['refresh.request']>().toEqualTypeOf<'none' | Record<string, unknown>>();
  expectTypeOf<GapValues['errors.codes']>().toEqualTypeOf<{ [kind in ErrorKind]?: number }>();
  expectTypeOf<GapValues['login.token']>().toEqualTypeOf<string>();
  type Called = { method: string; path: string };
  expectTypeOf<GapValues['operation.ai']>().toExtend<'not-offered' | 'unknown' | Called>();
});
