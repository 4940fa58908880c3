import { expect, test } from 'vitest';
import {
  isSameId,
  isTooDeep,
  measureJson,
  parseExactly,
  parseJson,
  roundIntegers,
  writeJson,
} from './parse-json.ts';

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

test('an object with data for toString can be written as a text', () => {
  const value = parseJson('{"id":{"toString":1,"valueOf":2},"\\u0074oString":0}') as { id: unknown };
  expect([String(value.id), String(value)]).toEqual(['[object Object]', '[object Object]']);
  expect(writeJson(value)).toBe('{"id":{"toString":1,"valueOf":2},"toString":0}');
  expect(isSameId(value.id, 7)).toBe(false);
});

test('an integer of a million digits is read in no time, and rounded', () => {
  const startedAt = performance.now();
  expect(parseExactly(`[1${'0'.repeat(99)},${'9'.repeat(1_000_000)}]`)).toEqual([10n ** 99n, Infinity]);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test.for([
  [`${'['.repeat(200)}${']'.repeat(200)}`, false],
  [`${'['.repeat(201)}${']'.repeat(201)}`, true],
  [`\n{"a":"${'['.repeat(300)}"}`, false],
  [`{"a\\"${'['.repeat(300)}":1}`, false],
  [`{"a\\\\":${'['.repeat(200)}`, true],
  [`[${'[],'.repeat(300)}1]`, false],
  ['['.repeat(200_000), true],
  [`<html>${'['.repeat(300)}`, false],
] as const)('%# more than 200 levels are too deep', ([json, isDeep]) => {
  expect(isTooDeep(json)).toBe(isDeep);
  if (isDeep) expect(parseJson(json) ?? parseExactly(json)).toBeUndefined();
});

test.for<[string, number, number]>([
  ['{"a":1,"b":[2,{"c":"[,{"}]}', 3, 6],
  ['"[[["', 0, 1],
  ['["\\",[",[[]]]', 3, 5],
])('measures %s', ([json, levels, values]) => {
  expect(measureJson(json)).toEqual({ levels, values });
});
