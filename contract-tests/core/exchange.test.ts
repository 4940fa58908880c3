import { expect, test } from 'vitest';
import { exchangeOf } from '../testing.ts';
import { describeAnswer, succeeded } from './exchange.ts';

test.for([
  [{ code: 0 }, true],
  [{ code: '0' }, true],
  [{ code: 40000 }, false],
  [{ code: '40000' }, false],
  [{ code: false }, false],
  [{ code: null }, false],
  [{}, false],
  [[], false],
  [null, false],
  [undefined, false],
] as const)('%j is a success: %j', ([json, want]) => {
  expect(succeeded(exchangeOf(json))).toBe(want);
});

test('depends on the code alone, with any status', () => {
  expect(succeeded(exchangeOf({ code: 0 }, { status: 500 }))).toBe(true);
  expect(succeeded(exchangeOf({ code: 1 }, { status: 200 }))).toBe(false);
});

test.for([
  [exchangeOf({ code: 0 }), 'HTTP 200 {"code":0}'],
  [exchangeOf(undefined, { status: 204, text: '' }), 'HTTP 204 (empty body)'],
  [exchangeOf(undefined, { status: 502, text: '<h1>Bad</h1>' }), 'HTTP 502 <h1>Bad</h1>'],
  [exchangeOf(undefined, { text: 'x'.repeat(401) }), `HTTP 200 ${'x'.repeat(400)}…`],
] as const)('an answer is described as %2$s', ([exchange, want]) => {
  expect(describeAnswer(exchange)).toBe(want);
});
