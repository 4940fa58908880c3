import { expect, test } from 'vitest';
import { operationsOf } from './operations.ts';
import { loadProfile, makeProfile } from './profile.ts';
import { resolve } from './resolve.ts';
import { createValidator } from './validate.ts';

const validate = createValidator(resolve(loadProfile('default')));
const validateNested = createValidator(resolve(loadProfile('nested-201-uuid')));

const success = { code: 0, message: 'success', data: { token: 't' }, trace_id: 'a1' };
const { trace_id: _traceId, ...withoutTrace } = success;
const { data: _data, ...withoutData } = success;

test.for([
  ['a missing token', { ...success, data: {} }, ['/data/token', ['login.token'], []]],
  ['a token that is no string', { ...success, data: { token: 5 } }, ['/data/token', ['login.token'], []]],
  ['a missing trace_id', withoutTrace, ['/trace_id', [], ['ENV-1']]],
  ['a code in quotes', { ...success, code: '0' }, ['/code', [], ['ENV-1']]],
  ['a code other than 0', { ...success, code: 1 }, ['/code', [], ['ENV-2']]],
  ['another message', { ...success, message: 'ok' }, ['/message', [], ['ENV-2']]],
  ['no data', withoutData, ['/data', [], ['ENV-5']]],
  ['null as data', { ...success, data: null }, ['/data', [], ['ENV-5']]],
  ['a list as data', { ...success, data: [] }, ['/data', [], ['ENV-5']]],
  ['a list', [], ['', [], ['ENV-1']]],
] as const)('%s in a login answer is reported once', ([, body, want]) => {
  expect(summarize(validate('/components/schemas/LoginSuccess', body))).toEqual([want]);
});

const failure = { code: 40100, message: 'no', trace_id: 'a1' };

test.for([
  ['the message of a success', { ...failure, message: 'success' }, ['/message', [], ['ENV-3']]],
  ['an empty message', { ...failure, message: '' }, ['/message', [], ['ENV-3']]],
  ['a message that is no string', { ...failure, message: null }, ['/message', [], ['ENV-1']]],
] as const)('%s in a failure is reported once', ([, body, want]) => {
  expect(summarize(validate('/components/schemas/Failure', body))).toEqual([want]);
});

const subscription = { url: 'https://a.example', events: ['publish.complete'], channel: 'custom' };

test.for([
  ['an unknown channel', { ...subscription, channel: 'sms' }, [['/channel', [], ['HOOK-3', 'HOOK-4']]]],
  ['an unknown event', { ...subscription, events: ['x'] }, [['/events/0', [], ['EVENT-2']]]],
  ['no URL', { ...subscription, url: 'none' }, [['/url', ['subscription.request.url'], ['HOOK-7']]]],
  [
    'nothing',
    {},
    [
      ['/url', ['subscription.request.url'], ['HOOK-7']],
      ['/events', ['subscription.request.events', 'subscription.empty-events'], ['HOOK-5', 'HOOK-6']],
      ['/channel', ['subscription.request.channel'], ['HOOK-3', 'HOOK-4']],
    ],
  ],
] as const)('%s in a subscription request is reported', ([, body, want]) => {
  expect(summarize(validate('/components/schemas/SubscriptionRequest', body))).toEqual(want);
});

test('an unknown field in a request is reported only where they are refused', () => {
  const body = { target_url: 'https://a.example', event_names: ['publish.failed'], type: 'feishu', more: 1 };
  expect(summarize(validateNested('/components/schemas/SubscriptionRequest', body))).toEqual([
    ['/more', ['subscription.unknown-fields'], ['HOOK-8']],
  ]);
  expect(validate('/components/schemas/SubscriptionRequest', { ...subscription, more: 1 })).toEqual([]);
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

test('what is on the way to several values is attributed to the gaps of all of them', () => {
  expect(summarize(validateNested('/components/schemas/SubscriptionSuccess', success))).toEqual([
    [
      '/data/subscription',
      [
        'subscription.response.id',
        'subscription.response.url',
        'subscription.response.events',
        'subscription.response.channel',
      ],
      [],
    ],
  ]);
});

const push = {
  event: 'publish.complete',
  timestamp: '2026-01-02T03:04:05+08:00',
  site_id: 1,
  site_name: 'x',
  data: { message: 'm', pages: 1, version: 2 },
};

test.for([
  [
    'no offset',
    'PublishCompleteEvent',
    { ...push, timestamp: '2026-01-02T03:04:05' },
    ['/timestamp', [], ['EVENT-3']],
  ],
  [
    'pages in quotes',
    'PublishCompleteEvent',
    { ...push, data: { ...push.data, pages: '1' } },
    ['/data/pages', [], ['EVENT-5']],
  ],
  ['a site_id in quotes', 'PublishCompleteEvent', { ...push, site_id: '1' }, ['/site_id', [], ['EVENT-1']]],
  [
    'no message',
    'PublishFailedEvent',
    { ...push, event: 'publish.failed', data: {} },
    ['/data/message', ['event-data.publish.failed'], []],
  ],
] as const)('%s in a push is reported once', ([, name, body, want]) => {
  expect(summarize(validate(`/components/schemas/${name}`, body))).toEqual([want]);
});

test.for([
  ['LoginSuccess', { ...success, more: 1, data: { token: 't', more: { a: 1 } } }],
  ['Failure', { ...failure, more: 1, data: { reason: 'x' } }],
  ['PublishCompleteEvent', { ...push, more: 1, data: { ...push.data, more: 1 } }],
] as const)('unknown fields in a %s are welcome', ([name, body]) => {
  expect(validate(`/components/schemas/${name}`, body)).toEqual([]);
});

test.for([
  ['createSite', {}, ['/data/site_id', ['operation.create-site'], []]],
  ['createSite', { site_id: 'x' }, ['/data/site_id', ['operation.create-site'], []]],
  ['listSites', { list: [] }, ['/data/total', [], ['ENV-6']]],
  ['listSites', { list: {}, total: 0 }, ['/data/list', [], ['ENV-6']]],
  [
    'listSites',
    { list: [{ site_id: 1 }], total: 1 },
    ['/data/list/0/site_name', ['operation.list-sites'], []],
  ],
  [
    'listDeliveries',
    { list: [{ id: 1, attempts: [{ at: 'yesterday' }] }], total: 1 },
    ['/data/list/0/attempts/0/at', ['operation.list-deliveries'], []],
  ],
  ['createKey', { id: 1, key: 'secret' }, ['/data/key', [], ['KEY-1']]],
] as const)('in the answer of %s, the data %j is reported once', ([id, data, want]) => {
  const operation = operationsOf(resolve(loadProfile('default'))).find((one) => one.id === id);
  expect(summarize(validate(operation?.success.schema ?? '', { ...success, data }))).toEqual([want]);
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

test('of a value of the wrong type, only the type is reported', () => {
  expect(summarize(small('/components/schemas/typed', '0'))).toEqual([['', [], ['A-2']]]);
  expect(summarize(small('/components/schemas/typed', 1))).toEqual([['', [], ['A-1']]]);
});

test('that something promised is missing is not attributed to the gap of what should hold it', () => {
  expect(summarize(small('/components/schemas/holder', {}))).toEqual([['/a', [], ['A-3']]]);
});

test('says what was expected', () => {
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

function summarize(mismatches: ReturnType<typeof validate>) {
  return mismatches.map(({ at, gaps, requirements }) => [at, gaps, requirements]);
}
