// The compiler checks these types, so static.test.ts runs them too.
import { expectTypeOf, test } from 'vitest';
import type { ErrorKind } from './error-codes.ts';
import type { GapValues } from './generated/gap-values.ts';
import type { Channel, Envelope, EventName, operations, paths, WebhookEvent } from './generated/types.ts';

type PushOf<Name extends EventName> = Extract<WebhookEvent, { event: Name }>;

test('the event discriminates pushes', () => {
  expectTypeOf<WebhookEvent['event']>().toEqualTypeOf<EventName>();
  expectTypeOf<WebhookEvent['site_id']>().toEqualTypeOf<number>();
  expectTypeOf<WebhookEvent['timestamp']>().toEqualTypeOf<string>();
  expectTypeOf<PushOf<'publish.complete'>['data']['pages']>().toEqualTypeOf<number>();
  expectTypeOf<PushOf<'publish.complete'>['data']['message']>().toEqualTypeOf<string>();
  expectTypeOf<PushOf<'content.publish'>['data']['content_id']>().toEqualTypeOf<number | string>();
  // Only a finished publish has pages; the other members of data are unknown.
  expectTypeOf<PushOf<'content.publish'>['data']['pages']>().toEqualTypeOf<unknown>();
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
  expectTypeOf<LoginAnswer['code']>().toEqualTypeOf<0>();
  expectTypeOf<LoginAnswer['message']>().toEqualTypeOf<'success'>();
  expectTypeOf<BodyOf<Login['responses']['default']>>().toExtend<Envelope>();
});

test('a call takes its fields', () => {
  type Fields = { url: string; events: EventName[]; channel: Channel; secret?: string };
  type Deletion = operations['deleteSubscription']['parameters']['path'];
  type Query = operations['listDeliveries']['parameters']['query'];
  expectTypeOf<BodyOf<Login['requestBody']>>().toEqualTypeOf<{ username: string; password: string }>();
  expectTypeOf<Exclude<operations['refresh']['requestBody'], undefined>>().toEqualTypeOf<never>();
  expectTypeOf<BodyOf<operations['createSubscription']['requestBody']>>().toEqualTypeOf<Fields>();
  expectTypeOf<Channel>().toEqualTypeOf<'custom' | 'wecom' | 'dingtalk' | 'feishu'>();
  expectTypeOf<Deletion>().toEqualTypeOf<{ siteID: number; subscriptionID: number }>();
  // A call may omit the query.
  expectTypeOf<Query>().toEqualTypeOf<{ page?: number; page_size?: number } | undefined>();
});

test('a misspelled field of an answer is an error for every operation', () => {
  // A record of `unknown` would have keys that these types do not have.
  type OfSubscription = 'id' | 'url' | 'events' | 'channel';
  expectTypeOf<LoginAnswer['data']>().toEqualTypeOf<{ token: string }>();
  expectTypeOf<keyof SuccessOf<'listSites'>['data']>().toEqualTypeOf<'list' | 'total'>();
  expectTypeOf<keyof SuccessOf<'createSubscription'>['data']>().toEqualTypeOf<OfSubscription>();
  expectTypeOf<SuccessOf<'createSubscription'>['data']['id']>().toEqualTypeOf<number>();
});

test('members of list items other than identifiers may be absent', () => {
  type Item = SuccessOf<'listDeliveries'>['data']['list'][0];
  type Attempt = { at?: string; duration_ms?: number; status?: number; error?: string; answer?: string };
  expectTypeOf<Item['id']>().toEqualTypeOf<number | string>();
  expectTypeOf<Item['next_attempt_at']>().toEqualTypeOf<string | null | undefined>();
  expectTypeOf<NonNullable<Item['attempts']>[0]>().toEqualTypeOf<Attempt>();
});

test('a gap has the values of the register', () => {
  type Call = Exclude<GapValues['operation.list-deliveries'], string>;
  expectTypeOf<GapValues['webhook.timestamp-unit']>().toEqualTypeOf<'seconds' | 'milliseconds'>();
  expectTypeOf<GapValues['refresh.request']>().toEqualTypeOf<'none' | Record<string, unknown>>();
  expectTypeOf<GapValues['errors.codes']>().toEqualTypeOf<{ [kind in ErrorKind]?: number }>();
  expectTypeOf<GapValues['login.token']>().toEqualTypeOf<string>();
  expectTypeOf<GapValues['operation.ai']>().toExtend<
    'not-offered' | 'unknown' | { method: string; path: string }
  >();
  expectTypeOf<NonNullable<Call['query']>>().toEqualTypeOf<Record<string, string | number | boolean>>();
});
