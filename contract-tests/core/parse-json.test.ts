import { expect, test } from 'vitest';
import { isSameId, parseExactly, parseJson, roundIntegers, writeJson } from './parse-json.ts';

const text = '{"id":9007199254740993,"list":[-9223372036854775808,12,1.5,1e30,"9007199254740993"]}';

test('integers that a number can not hold are read and written as they came', () => {
  const value = parseExactly(text);
  expect(value).toEqual({
    id: 9007199254740993n,
    list: [-9223372036854775808n, 12, 1.5, 1e30, '9007199254740993'],
  });
  expect(writeJson(value)).toBe(text.replace('1e30', '1e+30'));
});

test('schemas see the rounded integers', () => {
  expect(roundIntegers(parseExactly(text))).toEqual(parseJson(text));
  expect(roundIntegers(undefined)).toBeUndefined();
});

test.for(['', '{', 'text'])('what is no JSON has no value: %j', (wrong) => {
  expect(parseExactly(wrong)).toBeUndefined();
  expect(parseJson(wrong)).toBeUndefined();
});

test('identifiers are compared by their text', () => {
  expect([isSameId(101, '101'), isSameId(9007199254740993n, '9007199254740993')]).toEqual([true, true]);
  expect([isSameId(101, 102), isSameId(undefined, undefined), isSameId(null, null)]).toEqual([
    false,
    false,
    false,
  ]);
});
