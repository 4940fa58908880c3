import { expect, test } from 'vitest';
import { secretAnswers } from '../../openapi/secret-names.ts';
import { exchangeOf } from '../testing.ts';
import { describeAnswer, placeOfRedirect, succeeded } from './exchange.ts';

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

test('depends only on the code, with any status', () => {
  expect(succeeded(exchangeOf({ code: 0 }, { status: 500 }))).toBe(true);
  expect(succeeded(exchangeOf({ code: 1 }, { status: 200 }))).toBe(false);
});

test.for([
  [exchangeOf({ code: 0 }), 'HTTP 200 {"code":0}'],
  [exchangeOf(undefined, { status: 204, text: '' }), 'HTTP 204 (empty body)'],
  [exchangeOf(undefined, { status: 502, text: '<h1>Bad</h1>' }), 'HTTP 502 <h1>Bad</h1>'],
  [exchangeOf(undefined, { text: 'a b '.repeat(101) }), `HTTP 200 ${'a b '.repeat(100)}…`],
  [exchangeOf(undefined, { text: `no: ${'x'.repeat(15)}` }), `HTTP 200 no: ${'x'.repeat(15)}`],
  [exchangeOf(undefined, { text: `no: ${'x'.repeat(16)}!` }), 'HTTP 200 no: {masked}!'],
  [exchangeOf(undefined, { text: 's\0e\0c\0r\0e\0t\0'.repeat(3) }), 'HTTP 200 {masked}'],
  [exchangeOf({ a: 'x'.repeat(16) }), `HTTP 200 {"a":"${'x'.repeat(16)}"}`],
] as const)('describes an answer as %2$s', ([exchange, want]) => {
  expect(describeAnswer(exchange)).toBe(want);
});

test.for(secretAnswers)('withholds non-JSON answers to %s', (operation) => {
  const answer = (text: string, type?: string) =>
    describeAnswer({ ...exchangeOf(undefined, { text, headers: { 'content-type': type } }), operation });
  const why = ', not a JSON object; withheld, because this answer may contain a token)';
  expect(answer('<t>é</t>', 'text/xml; charset=utf-8')).toBe(`HTTP 200 (9 bytes of text/xml${why}`);
  expect(answer('st_1')).toBe(`HTTP 200 (4 bytes of no media type${why}`);
  expect(answer(' ', 'text/plain')).toBe('HTTP 200 (empty body)');
});

test.for([
  [undefined, undefined],
  ['https://id.example/login', 'https://id.example/login'],
  ['/cb?code=1#token=2', '/cb?…'],
  ['/cb#token=2', '/cb#…'],
])('shows a redirect to %s as %s', ([location, want]) => {
  expect(placeOfRedirect(exchangeOf({}, { headers: { location } }).response)).toBe(want);
});
