import { expect, test } from 'vitest';
import { operationsOf } from './operations.ts';
import { loadProfile, parseProfile } from './profile.ts';
import { resolve } from './resolve.ts';
import { createValidator, type Validator } from './validate.ts';

const description = resolve(loadProfile('default'));
const validate = createValidator(description);
const validateNested = createValidator(resolve(loadProfile('nested-201-uuid')));

/** The place, gaps and requirements of each mismatch. */
function reported(judge: Validator, schema: string, body: unknown): string[] {
  return judge(schema, body).map(({ at, gaps, requirements }) => [at, ...gaps, ...requirements].join(' '));
}

const success = { code: 0, message: 'success', data: { token: 't' }, trace_id: 'a1' };
const failure = { code: 40100, message: 'no', trace_id: 'a1' };
const subscription = { url: 'https://a.example', events: ['publish.complete'], channel: 'custom' };
const data = { message: 'm', pages: 1, version: 2 };
const push = {
  event: 'publish.complete',
  timestamp: '2026-01-02T03:04:05+08:00',
  site_id: 1,
  site_name: 'x',
  data,
};

// contract-tests/deployment/check-exchange.test.ts tests the envelope.
test.for([
  ['LoginSuccess', { ...success, data: {} }, '/data/token login.token'],
  ['LoginSuccess', { ...success, data: { token: 5 } }, '/data/token login.token'],
  ['LoginSuccess', { ...success, code: 1 }, '/code ENV-2'],
  ['SubscriptionRequest', { ...subscription, channel: 'a' }, '/channel HOOK-3 HOOK-4'],
  ['SubscriptionRequest', { ...subscription, events: ['x'] }, '/events/0 EVENT-2'],
  ['SubscriptionRequest', { ...subscription, url: 'a' }, '/url subscription.request.url HOOK-7'],
  [
    'SubscriptionRequest',
    {},
    '/url subscription.request.url HOOK-7',
    '/events subscription.request.events subscription.empty-events HOOK-5 HOOK-6',
    '/channel subscription.request.channel HOOK-3 HOOK-4',
  ],
  ['PublishCompleteEvent', { ...push, timestamp: '2026-01-02T03:04:05' }, '/timestamp EVENT-3'],
  ['PublishCompleteEvent', { ...push, data: { ...data, pages: '1' } }, '/data/pages EVENT-5'],
  ['PublishCompleteEvent', { ...push, site_id: '1' }, '/site_id EVENT-1'],
  // Additional members are no mismatch.
  ['LoginSuccess', { ...success, more: 1, data: { token: 't', more: { a: 1 } } }],
  ['PublishCompleteEvent', { ...push, more: 1, data: { ...data, more: 1 } }],
] as const)('reports the mismatches of a %s that is %j', ([name, body, ...want]) => {
  const sent: unknown = JSON.parse(JSON.stringify(body));
  expect(reported(validate, `/components/schemas/${name}`, sent)).toEqual(want);
});

const asked = { target_url: 'https://a.example', event_names: ['publish.failed'], type: 'feishu', more: 1 };
const inSubscription = ['id', 'url', 'events', 'channel'].map((name) => `subscription.response.${name}`);

// An object on the way to several values belongs to the gaps of all of them.
test.for([
  ['SubscriptionRequest', asked, '/more subscription.unknown-fields HOOK-8'],
  ['SubscriptionSuccess', success, `/data/subscription ${inSubscription.join(' ')}`],
] as const)('under another profile, reports one mismatch of a %s that is %j', ([name, body, want]) => {
  expect(reported(validateNested, `/components/schemas/${name}`, body)).toEqual([want]);
});

const validateMoved = createValidator(resolve(parseProfile('login.token: /session/2/token', 'a.yaml')));
const session = [1, null, { token: 't' }];

test.for([
  [{ session }],
  [{ session, data: undefined }, '/data ENV-5'],
  [{}, '/session login.token'],
  [{ session: session.slice(1) }, '/session login.token'],
  [{ session: [1, null, {}] }, '/session/2/token login.token'],
] as const)('if the token is the third of a list, reports the mismatches of %j', ([given, ...want]) => {
  const body: unknown = JSON.parse(JSON.stringify({ ...success, data: {}, ...given }));
  expect(reported(validateMoved, '/components/schemas/LoginSuccess', body)).toEqual(want);
});

test('a call may omit a field with an inherited name', () => {
  const judge = createValidator(resolve(parseProfile('subscription.request.secret: constructor', 'a.yaml')));
  const request = '/components/schemas/SubscriptionRequest';
  expect(judge(request, subscription)).toEqual([]);
  expect(judge(request, { ...subscription, constructor: 5 }).map(({ at }) => at)).toEqual(['/constructor']);
});

test.for([
  ['createSite', { site_id: 'x' }, '/data/site_id operation.create-site'],
  ['listSites', { list: [] }, '/data/total ENV-6'],
  ['listSites', { list: {}, total: 0 }, '/data/list ENV-6'],
  ['listSites', { list: [{ site_id: 1 }], total: 1 }, '/data/list/0/site_name operation.list-sites'],
  ['createKey', { id: 1, key: 'secret' }, '/data/key KEY-1'],
] as const)('in the answer of %s, reports the data %j once', ([id, data, want]) => {
  const operation = operationsOf(description).find((one) => one.id === id);
  expect(reported(validate, operation?.success.schema ?? '', { ...success, data })).toEqual([want]);
});

// A small description with the features of the real one.
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
  expect(validate('/components/schemas/LoginSuccess', { ...success, code: '0' })).toEqual([
    { at: '/code', message: 'must be integer', expected: 'type integer', gaps: [], requirements: ['ENV-1'] },
  ]);
});

test.for([
  ['Channel', 'sms', 'one of "custom", "wecom", "dingtalk", "feishu"'],
  ['LoginSuccess/allOf/0', { ...success, code: 1 }, '0'],
  ['Failure', { ...failure, message: 'success' }, 'a value other than "success"'],
  ['Failure', { ...failure, message: '' }, 'minLength 1'],
  ['Failure', { code: 40100, message: 'no' }, 'a property "trace_id"'],
] as const)('for %s of %j, expects %s', ([name, value, want]) => {
  expect(validate(`/components/schemas/${name}`, value).map(({ expected }) => expected)).toEqual([want]);
});
