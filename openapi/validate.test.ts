import { expect, test } from 'vitest';
import { operationsOf } from './operations.ts';
import { loadProfile, makeProfile } from './profile.ts';
import { resolve } from './resolve.ts';
import { createValidator, type Validator } from './validate.ts';

const description = resolve(loadProfile('default'));
const validate = createValidator(description);
const validateNested = createValidator(resolve(loadProfile('nested-201-uuid')));

/** Where each mismatch is, and the gaps and requirements that it is about. */
function reported(judge: Validator, schema: string, body: unknown): string[] {
  return judge(schema, body).map(({ at, gaps, requirements }) => [at, ...gaps, ...requirements].join(' '));
}

const success = { code: 0, message: 'success', data: { token: 't' }, trace_id: 'a1' };
const failure = { code: 40100, message: 'no', trace_id: 'a1' };
const subscription = { url: 'https://a.example', events: ['publish.complete'], channel: 'custom' };
const push = {
  event: 'publish.complete',
  timestamp: '2026-01-02T03:04:05+08:00',
  site_id: 1,
  site_name: 'x',
  data: { message: 'm', pages: 1, version: 2 },
};

test.for([
  ['LoginSuccess', 'a missing token', { ...success, data: {} }, '/data/token login.token'],
  ['LoginSuccess', 'no text as token', { ...success, data: { token: 5 } }, '/data/token login.token'],
  ['LoginSuccess', 'no trace_id', { ...success, trace_id: undefined }, '/trace_id ENV-1'],
  ['LoginSuccess', 'a code in quotes', { ...success, code: '0' }, '/code ENV-1'],
  ['LoginSuccess', 'a code other than 0', { ...success, code: 1 }, '/code ENV-2'],
  ['LoginSuccess', 'another message', { ...success, message: 'ok' }, '/message ENV-2'],
  ['LoginSuccess', 'no data', { ...success, data: undefined }, '/data ENV-5'],
  ['LoginSuccess', 'null as data', { ...success, data: null }, '/data ENV-5'],
  ['LoginSuccess', 'a list as data', { ...success, data: [] }, '/data ENV-5'],
  ['LoginSuccess', 'a list', [], ' ENV-1'],
  ['Failure', 'the message of a success', { ...failure, message: 'success' }, '/message ENV-3'],
  ['Failure', 'an empty message', { ...failure, message: '' }, '/message ENV-3'],
  ['Failure', 'no text as message', { ...failure, message: null }, '/message ENV-1'],
  ['SubscriptionRequest', 'an unknown channel', { ...subscription, channel: 'a' }, '/channel HOOK-3 HOOK-4'],
  ['SubscriptionRequest', 'an unknown event', { ...subscription, events: ['x'] }, '/events/0 EVENT-2'],
  ['SubscriptionRequest', 'no URL', { ...subscription, url: 'a' }, '/url subscription.request.url HOOK-7'],
  [
    'SubscriptionRequest',
    'nothing',
    {},
    '/url subscription.request.url HOOK-7',
    '/events subscription.request.events subscription.empty-events HOOK-5 HOOK-6',
    '/channel subscription.request.channel HOOK-3 HOOK-4',
  ],
  ['PublishCompleteEvent', 'no offset', { ...push, timestamp: '2026-01-02T03:04:05' }, '/timestamp EVENT-3'],
  [
    'PublishCompleteEvent',
    'pages in quotes',
    { ...push, data: { ...push.data, pages: '1' } },
    '/data/pages EVENT-5',
  ],
  ['PublishCompleteEvent', 'a site_id in quotes', { ...push, site_id: '1' }, '/site_id EVENT-1'],
  [
    'PublishFailedEvent',
    'no message',
    { ...push, event: 'publish.failed', data: {} },
    '/data/message event-data.publish.failed',
  ],
  ['LoginSuccess', 'more fields', { ...success, more: 1, data: { token: 't', more: { a: 1 } } }],
  ['Failure', 'more fields', { ...failure, more: 1, data: { reason: 'x' } }],
  ['PublishCompleteEvent', 'more fields', { ...push, more: 1, data: { ...push.data, more: 1 } }],
  ['SubscriptionRequest', 'more fields', { ...subscription, more: 1 }],
] as const)('a %s with %s is reported as it is', ([name, , body, ...want]) => {
  const sent: unknown = JSON.parse(JSON.stringify(body));
  expect(reported(validate, `/components/schemas/${name}`, sent)).toEqual(want);
});

test.for([
  [
    'an unknown field where they are refused',
    'SubscriptionRequest',
    { target_url: 'https://a.example', event_names: ['publish.failed'], type: 'feishu', more: 1 },
    '/more subscription.unknown-fields HOOK-8',
  ],
  [
    'what is on the way to several values, which is attributed to the gaps of all of them,',
    'SubscriptionSuccess',
    success,
    '/data/subscription subscription.response.id subscription.response.url subscription.response.events subscription.response.channel',
  ],
] as const)('under another profile, %s is reported once', ([, name, body, want]) => {
  expect(reported(validateNested, `/components/schemas/${name}`, body)).toEqual([want]);
});

test('a field named as something that every object inherits may be left out', () => {
  const profile = makeProfile(
    { 'subscription.request.secret': 'constructor' },
    { name: 'odd', source: 'odd.yaml' },
  );
  const judge = createValidator(resolve(profile));
  const request = '/components/schemas/SubscriptionRequest';
  expect(judge(request, subscription)).toEqual([]);
  expect(judge(request, { ...subscription, constructor: 5 }).map(({ at }) => at)).toEqual(['/constructor']);
});

test.for([
  ['createSite', {}, '/data/site_id operation.create-site'],
  ['createSite', { site_id: 'x' }, '/data/site_id operation.create-site'],
  ['listSites', { list: [] }, '/data/total ENV-6'],
  ['listSites', { list: {}, total: 0 }, '/data/list ENV-6'],
  ['listSites', { list: [{ site_id: 1 }], total: 1 }, '/data/list/0/site_name operation.list-sites'],
  [
    'listDeliveries',
    { list: [{ id: 1, attempts: [{ at: 'yesterday' }] }], total: 1 },
    '/data/list/0/attempts/0/at operation.list-deliveries',
  ],
  ['createKey', { id: 1, key: 'secret' }, '/data/key KEY-1'],
] as const)('in the answer of %s, the data %j is reported once', ([id, data, want]) => {
  const operation = operationsOf(description).find((one) => one.id === id);
  expect(reported(validate, operation?.success.schema ?? '', { ...success, data })).toEqual([want]);
});

// A description that says in small what the real one says in places.
const small = createValidator({
  components: {
    schemas: {
      typed: { const: 0, 'x-requirement': ['A-1'], allOf: [{ type: 'integer', 'x-requirement': ['A-2'] }] },
      holder: { 'x-gap': 'a.gap', required: ['a'], properties: { a: { 'x-requirement': ['A-3'] } } },
    },
  },
} as never);

test.for([
  ['of a value of the wrong type only the type is reported', 'typed', '0', ' A-2'],
  ['of a wrong value of the right type the value is reported', 'typed', 1, ' A-1'],
  ['that something promised is missing is not attributed to the gap of its holder', 'holder', {}, '/a A-3'],
] as const)('%s', ([, name, value, want]) => {
  expect(reported(small, `/components/schemas/${name}`, value)).toEqual([want]);
});

test('says what was expected', () => {
  const { trace_id: _, ...withoutTrace } = success;
  expect(validate('/components/schemas/LoginSuccess', { ...withoutTrace, code: '0' })).toEqual([
    {
      at: '/trace_id',
      message: "must have required property 'trace_id'",
      expected: 'a property "trace_id"',
      gaps: [],
      requirements: ['ENV-1'],
    },
    { at: '/code', message: 'must be integer', expected: 'type integer', gaps: [], requirements: ['ENV-1'] },
  ]);
});

test.for([
  ['Channel', 'sms', 'one of "custom", "wecom", "dingtalk", "feishu"'],
  ['LoginSuccess/allOf/0', { ...success, code: 1 }, '0'],
  ['Failure', { ...failure, message: 'success' }, 'not {"const":"success"}'],
  ['Failure', { ...failure, message: '' }, 'minLength 1'],
] as const)('expects, by %s of %j, %s', ([name, value, want]) => {
  expect(validate(`/components/schemas/${name}`, value).map(({ expected }) => expected)).toEqual([want]);
});
