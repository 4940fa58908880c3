import { expect, test } from 'vitest';
import { Unreachable } from '../core/outcomes.ts';
import { exchangeOf, openContext } from '../testing.ts';
import { callOutside, outsideCalls } from './outside-calls.ts';

const refusal = { code: 40400, message: 'no such path', data: null, trace_id: 'a1' };

test.for<[string, object, number, number]>([
  ['in the envelope', refusal, 404, 0],
  ['with the status of other refusals', refusal, 503, 0],
  ['with the status of a crash that no other refusal had', refusal, 500, 4],
  ['without a trace_id', { ...refusal, trace_id: undefined }, 404, 4],
  ['with a code that is text', { ...refusal, code: '404' }, 404, 4],
])('what is no endpoint and is answered %s', async ([, json, status, want]) => {
  const context = openContext();
  context.exchanges.push(exchangeOf(refusal, { status: 503 }));
  context.send = async () => exchangeOf(json, { status }).response;
  await callOutside(context);
  expect(context.remarks.report().map(({ id, count }) => [id, count])).toEqual(
    want === 0 ? [] : [['outside-the-endpoints', want]],
  );
});

test('a page of HTML gets a remark with the call, and a lost answer none', async () => {
  const context = openContext();
  const { response } = exchangeOf(refusal);
  context.send = async ({ method }) => {
    if (method !== 'GET') throw new Unreachable('no answer');
    return { ...response, status: 404, text: '<html></html>', json: undefined };
  };
  await callOutside(context);
  expect(context.remarks.report()).toMatchObject([
    { count: 1, example: 'GET /sitepub-no-such-endpoint: HTTP 404 <html></html>' },
  ]);
});

test('no token comes along, and an operation that the profile states is left alone', async () => {
  const context = openContext();
  const sent: unknown[] = [];
  context.send = async ({ method, headers }) => {
    sent.push([method, Object.keys(headers)]);
    return exchangeOf(refusal).response;
  };
  await callOutside(context);
  expect(sent).toEqual([
    ['GET', []],
    ...['POST', 'PATCH', 'PUT'].map((method) => [method, ['Content-Type']]),
  ]);
  const login = context.operations.get('login') ?? expect.fail();
  const operations = new Map([['logout', { ...login, method: 'PATCH' }]]);
  expect(outsideCalls({ operations }).map(({ method }) => method)).toEqual(['GET', 'POST', 'PUT']);
});
