import { expect, test } from 'vitest';
import { loadProfile, statedValues } from '../../openapi/profile.ts';
import type { Context } from '../context.ts';
import type { Exchange } from '../core/exchange.ts';
import { exchangeOf, openContext } from '../testing.ts';

const success = { code: 0, message: 'success', data: {}, trace_id: 'a1' };
const failure = { code: 40401, message: 'there is no such subscription', trace_id: 'a1' };

function without(field: string, envelope: object): object {
  return Object.fromEntries(Object.entries(envelope).filter(([name]) => name !== field));
}

test.for([
  ['a success', success, []],
  ['a failure', failure, []],
  ['extra fields', { ...success, data: { more: 1 }, host: 'x', took_ms: 3 }, []],
  ['a failure with data null', { ...failure, data: null }, []],
  ['a failure with any data', { ...failure, data: { fields: ['url'] } }, []],
  ['code "0"', { ...success, code: '0' }, ['ENV-1']],
  ['code "40401"', { ...failure, code: '40401' }, ['ENV-1']],
  ['code 1.5', { ...failure, code: 1.5 }, ['ENV-1']],
  ['no code', without('code', failure), ['ENV-1']],
  ['message null', { ...failure, message: null }, ['ENV-1']],
  ['no message in a failure', without('message', failure), ['ENV-1']],
  ['no trace_id', without('trace_id', failure), ['ENV-1']],
  ['trace_id as a number', { ...failure, trace_id: 7 }, ['ENV-1']],
  ['an array', [success], ['ENV-1']],
  ['a string', 'success', ['ENV-1']],
  ['message "OK" on success', { ...success, message: 'OK' }, ['ENV-2']],
  ['message "success" on failure', { ...failure, message: 'success' }, ['ENV-3']],
  ['an empty message on failure', { ...failure, message: '' }, ['ENV-3']],
  ['message "Success" on failure', { ...failure, message: 'Success' }, ['ENV-3']],
  ['a message about success on failure', { ...failure, message: 'no success' }, []],
  ['a blank message on failure', { ...failure, message: ' \n' }, ['ENV-3']],
  ['an empty trace_id', { ...failure, trace_id: '' }, ['ENV-4']],
  ['a blank trace_id', { ...success, trace_id: ' ' }, ['ENV-4']],
  ['no data on success', without('data', success), ['ENV-5']],
  ['data null on success', { ...success, data: null }, ['ENV-5']],
  ['data an array on success', { ...success, data: [] }, ['ENV-5']],
  ['data a string on success', { ...success, data: 'sent' }, ['ENV-5']],
] as const)('%s breaks the expected requirements', ([, json, want]) => {
  const context = openContext();
  context.exchangeChecker.check(exchangeOf(json));
  expect(brokenIn(context)).toEqual(want);
});

test.for([[null], [undefined], ['2026-01-02T03:05:05.000Z']])(
  'a repeated delivery at %s is not drift',
  ([at]) => {
    const context = openContext();
    const delivery = { id: 1, event: 'form.submit', state: 'delivered', next_attempt_at: at, attempts: [] };
    context.exchangeChecker.check(answerTo('listDeliveries', { list: [delivery], total: 1 }));
    const drifted = context.observations.report().filter(({ outcome }) => outcome === 'drift');
    expect(drifted).toEqual([]);
  },
);

test.for([
  ['HTML', { headers: { 'content-type': 'text/html' }, text: '<h1>Not Found</h1>', json: undefined }],
  ['no body', { status: 204, headers: {}, text: '', json: undefined }],
  ['a Content-Type of JSON without JSON', { text: 'ok', json: undefined }],
] as const)('%s breaks only ENV-7', ([, response]) => {
  const context = openContext();
  context.exchangeChecker.check(exchangeOf({ code: '7' }, response));
  expect(brokenIn(context)).toEqual(['ENV-7']);
});

test.for([
  ['JSON declared as text', { 'content-type': 'text/plain; charset=utf-8' }],
  ['JSON in another media type', { 'content-type': 'text/json' }],
  ['JSON that is not declared', {}],
  ['JSON lines', { 'content-type': 'application/jsonl' }],
] as const)('%s adds a remark', ([, headers]) => {
  const context = openContext();
  context.exchangeChecker.check(exchangeOf(failure, { headers }));
  expect(brokenIn(context)).toEqual([]);
  expect(context.remarks.report()).toMatchObject([{ id: 'other-json-type', count: 1 }]);
});

test.for([
  'application/json',
  'application/json; charset=utf-8',
  'Application/JSON',
  'application/problem+json',
])('%s is a JSON media type', (type) => {
  const context = openContext();
  context.exchangeChecker.check(exchangeOf(failure, { headers: { 'content-type': type } }));
  expect(brokenIn(context)).toEqual([]);
});

test('a repeated trace_id breaks ENV-4', () => {
  const context = openContext();
  context.exchangeChecker.check(exchangeOf(success));
  context.exchangeChecker.check(exchangeOf({ ...failure, trace_id: 'b2' }));
  context.exchangeChecker.check(exchangeOf(failure));
  expect(context.exchangeChecker.violations).toMatchObject([
    {
      requirement: 'ENV-4',
      expected: 'a new trace_id',
      actual: '"a1", as in an earlier answer',
      exchange: { response: { json: failure } },
    },
  ]);
});

test('a replayed answer may repeat the trace_id of the first', () => {
  const context = openContext();
  context.exchangeChecker.check(exchangeOf(success));
  context.exchangeChecker.check({ ...exchangeOf(success), mayBeReplayed: true });
  expect(brokenIn(context)).toEqual([]);
});

test('describes expected and actual value with their place', () => {
  const context = openContext();
  context.exchangeChecker.check(exchangeOf({ ...success, code: '0' }));
  expect(context.exchangeChecker.violations).toMatchObject([
    { expected: '/code: type integer', actual: '"0"' },
  ]);
});

const subscription = { url: 'http://x', events: [], channel: 'custom' };

test.for([
  ['hook-test.status', exchangeOf(success, { status: 202 }), '202', 'drift'],
  ['errors.data', exchangeOf({ ...failure, data: null }), 'null-value', 'drift'],
  ['errors.data', exchangeOf({ ...failure, data: {} }), 'empty-object', 'drift'],
  ['errors.data', exchangeOf({ ...failure, data: { a: 1 } }), 'another value', 'drift'],
  ['login.token', answerTo('login', { accessToken: 'x' }), '/data/token: missing', 'drift'],
  ['login.token', answerTo('login', { token: 'st_1' }), '/data/token', 'agrees'],
  [
    'subscription.id-type',
    answerTo('createSubscription', { id: 'a', ...subscription }),
    '/data/id: "a"',
    'drift',
  ],
  ['subscription.id-type', answerTo('createSubscription', { id: 7, ...subscription }), 'integer', 'agrees'],
] as const)('observes %s in an answer, without a violation', ([gap, exchange, observed, outcome]) => {
  const context = openContext();
  context.exchangeChecker.check(exchange);
  expect(brokenIn(context)).toEqual([]);
  expect(seenOf(context, gap)).toMatchObject({ observed, outcome });
});

test.for([
  ['agrees', 201, '201'],
  ['drift', 200, 'status 200'],
] as const)('compares the status that the profile states: %s for %i', ([outcome, status, observed]) => {
  const stated = statedValues(loadProfile('default'));
  const call = { ...Object(stated['operation.list-sites']), status: 201 };
  const context = openContext({
    profile: { name: 'stated', stated: { ...stated, 'operation.list-sites': call } },
  });
  context.exchangeChecker.check(answerTo('listSites', { list: [], total: 0 }, { status }));
  expect(seenOf(context, 'operation.list-sites')).toMatchObject({ observed, outcome });
});

function answerTo(operation: Exchange['operation'], data: object, different?: Partial<Exchange['response']>) {
  return { ...exchangeOf({ ...success, data }, different), operation };
}

function seenOf({ observations }: Context, gap: string) {
  return observations.report().find(({ id }) => id === gap);
}

function brokenIn({ exchangeChecker }: Context): string[] {
  return [...new Set(exchangeChecker.violations.map(({ requirement }) => requirement))];
}
