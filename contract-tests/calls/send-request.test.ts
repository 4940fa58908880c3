import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { getAt } from '../../openapi/json-pointer.ts';
import type { Context } from '../context.ts';
import { asCleanUp } from '../core/call-scopes.ts';
import { createLossBudget } from '../core/loss-budget.ts';
import { interruption, Unreachable } from '../core/outcomes.ts';
import { exchangeOf, openContext } from '../testing.ts';
import { keepExchange } from './keep-exchange.ts';
import { callOutside, outsideCalls } from './outside-calls.ts';
import { requireGoingOn, sendRequest } from './send-request.ts';

test('after an interruption, continues the clean-up but no check', async () => {
  const interrupted = { signal: AbortSignal.abort(), ended: undefined };
  const goOn = () => requireGoingOn(interrupted);
  const check = sleep(5).then(goOn);
  const cleanUp = asCleanUp(async () => {
    await sleep(10);
    goOn();
  });
  await expect(check).rejects.toThrow(interruption.reason);
  await expect(cleanUp).resolves.toBeUndefined();
});

test('ends a run after too long waits for lost answers, even if others arrive between', async () => {
  let sent = 0;
  const state = { ended: undefined, losses: createLossBudget(20) };
  const context = {
    ...{ signal: new AbortController().signal, inFlight: new Set(), ...state },
    options: { baseUrl: 'http://a.example/api/v1', requestTimeoutMs: 20 },
    send: async () => {
      if (sent++ % 2 === 0) return { status: 200, headers: {}, text: '', json: undefined };
      await sleep(110);
      throw new Unreachable('nothing came');
    },
  } as unknown as Context;
  const operation = { id: 'createSite', method: 'POST' } as Parameters<typeof sendRequest>[1];
  const request = { method: 'POST', url: 'http://a.example/api/v1/x', headers: {}, body: undefined };
  for (let lost = 0; lost < 20 && !context.ended; lost++)
    for (let tries = 0; tries < 2; tries++)
      await sendRequest(context, operation, request).catch((error) =>
        expect(error).toBeInstanceOf(Unreachable),
      );
  expect(context.ended).toMatchObject({
    kind: 'unreachable',
    reason: expect.stringContaining('nothing came'),
  });
  expect(sent).toBeGreaterThan(3);
});

const megabyte = 1_048_576;

test('stores the last answers whole, and the start and digest of earlier ones', () => {
  const context = openContext();
  const list = Array.from({ length: 1_000 }, (_, id) => ({ id, text: 'x'.repeat(3_000) }));
  const exchanges = Array.from({ length: 6 }, (_, index) => exchangeOf({ code: 0, data: { list, index } }));
  for (const exchange of exchanges) keepExchange(context, exchange);
  const [first, last] = [context.exchanges[0], context.exchanges.at(-1)];
  expect(context.exchanges).toHaveLength(6);
  expect(last?.response.text.length).toBeGreaterThan(2 * megabyte);
  expect(last?.response.whole).toBeUndefined();
  expect(first).toBe(exchanges[0]);
  expect(first?.response.text).toMatch(/^\{"code":0,"data":\{"list":\[\{"id":0,.*…$/);
  expect(first?.response.text).toHaveLength(65_537);
  expect(first?.response.whole).toEqual({
    bytes: expect.any(Number),
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(getAt(first?.response.json, '/data/list')).toHaveLength(100);
});

test('keeps little of many answers, but for those that are written down', () => {
  const lengthsOf = (recordsExchanges: boolean) => {
    const context = openContext({ recordsExchanges });
    const text = JSON.stringify({ code: 0, text: 'x'.repeat(60_000) });
    for (let index = 0; index < 600; index += 1) keepExchange(context, exchangeOf(undefined, { text }));
    return [context.exchanges[0]?.response.text.length, context.exchanges.at(-1)?.response.text.length];
  };
  expect(lengthsOf(false)).toEqual([4_097, 60_020]);
  expect(lengthsOf(true)).toEqual([60_020, 60_020]);
});

test('learns the tokens of an answer before cutting it', () => {
  const context = openContext();
  keepExchange(context, { ...exchangeOf({ data: { token: 'st_0123456789' } }) });
  expect(context.secrets.has('st_0123456789')).toBe(true);
});

const refusal = { code: 40400, message: 'no such path', data: null, trace_id: 'a1' };

test.for<[string, object, number, number]>([
  ['in the envelope', refusal, 404, 0],
  ['with the status of other refusals', refusal, 503, 0],
  ['with status 500', refusal, 500, 4],
  ['without a trace_id', { ...refusal, trace_id: undefined }, 404, 4],
  ['with a code that is text', { ...refusal, code: '404' }, 404, 4],
])('judges an unknown path answered %s', async ([, json, status, want]) => {
  const context = openContext();
  context.exchanges.push(exchangeOf(refusal, { status: 503 }));
  context.send = async () => exchangeOf(json, { status }).response;
  await callOutside(context);
  expect(context.remarks.report().map(({ id, count }) => [id, count])).toEqual(
    want === 0 ? [] : [['outside-the-endpoints', want]],
  );
});

test('adds a remark with the call for HTML, and none for a lost answer', async () => {
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

test('sends no token to unknown paths, and calls no stated operation', async () => {
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
