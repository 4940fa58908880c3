import { expect, test } from 'vitest';
import { whyNotJson } from './not-json.ts';
import {
  isSameId,
  isTooDeep,
  measureJson,
  parseExactly,
  parseJson,
  roundIntegers,
  writeJson,
} from './parse-json.ts';
import { isPathPart, readValues } from './read-values.ts';
import { shortenJson, shortenText, withoutLongLists } from './shorten-json.ts';

const text = '{"id":9007199254740993,"list":[-9223372036854775808,12,1.5,1e30,"9007199254740993"]}';

test('reads and writes integers above 2^53 exactly', () => {
  const value = parseExactly(text);
  expect(value).toEqual({
    id: 9007199254740993n,
    list: [-9223372036854775808n, 12, 1.5, 1e30, '9007199254740993'],
  });
  expect(writeJson(value)).toBe(text.replace('1e30', '1e+30'));
});

test('rounds integers for schemas', () => {
  expect(roundIntegers(parseExactly(text))).toEqual(parseJson(text));
  expect(roundIntegers(undefined)).toBeUndefined();
});

test.for(['', '{', 'text'])('returns undefined for invalid JSON: %j', (wrong) => {
  expect(parseExactly(wrong)).toBeUndefined();
  expect(parseJson(wrong)).toBeUndefined();
});

test('compares ids as texts', () => {
  expect([isSameId(101, '101'), isSameId(9007199254740993n, '9007199254740993')]).toEqual([true, true]);
  expect([isSameId(101, 102), isSameId(undefined, undefined), isSameId(null, null)]).toEqual([
    false,
    false,
    false,
  ]);
});

test('converts an object with a member toString to a string', () => {
  const value = parseJson('{"id":{"toString":1,"valueOf":2},"\\u0074oString":0}') as { id: unknown };
  expect([String(value.id), String(value)]).toEqual(['[object Object]', '[object Object]']);
  expect(writeJson(value)).toBe('{"id":{"toString":1,"valueOf":2},"toString":0}');
  expect(isSameId(value.id, 7)).toBe(false);
});

test('reads and rounds an integer of a million digits quickly', () => {
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
] as const)('%# refuses more than 200 levels', ([json, isDeep]) => {
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

const json = '{"code":0,"message":"success","data":{"list":[1,2]},"trace_id":"t"}';

test.for([
  ['UTF-16 with a mark', Buffer.from(`\uFEFF${json}`, 'utf16le').toString(), /UTF-16/],
  ['UTF-16 without one', Buffer.from(json, 'utf16le').toString(), /UTF-16/],
  ['UTF-16, the other byte first', Buffer.from(`\uFEFF${json}`, 'utf16le').swap16().toString(), /UTF-16/],
  ['a guard', `)]}',\n${json}`, /guard/],
  ['an endless loop', `while(1);${json}`, /guard/],
  ['JSONP', `/**/callback(${json});`, /JSONP/],
  ['NaN', json.replace('0', 'NaN'), /NaN/],
  ['a trailing comma', json.replace('2]', '2,]'), /comma/],
  ['two texts', `${json}\n${json}`, /several/],
  ['a page', '<!doctype html><p>x', undefined],
  ['nothing', ' ', undefined],
  ['words', 'Bad Gateway', undefined],
  ['the beginning of JSON', json.slice(0, -5), undefined],
] as const)('explains why a body is not JSON: %s', ([, text, want]) => {
  const why = whyNotJson(text);
  if (want) expect(why).toMatch(want);
  else expect(why).toBeUndefined();
});

const measure = { text: 3, items: 2, values: 6 };

test.for([
  ['abc', 'abc'],
  ['abcd', 'abc…'],
  [
    [1, 2, 3],
    [1, 2],
  ],
  [
    { a: 'abcd', b: null, c: 1 },
    { a: 'abc…', b: null },
  ],
  [{ abcd: 1 }, { 'abc…': 1 }],
  [[[[[[[[1]]]]]]], [[[[[[]]]]]]],
] as const)('shortens %j', ([value, want]) => {
  expect(shortenJson(value, measure)).toEqual(want);
});

test('does not change short values', () => {
  const value = { list: [{ a: 1 }, { b: 2 }] };
  expect(withoutLongLists(value, 2)).toBe(value);
  expect(withoutLongLists(value, 1)).toEqual({ list: [{ a: 1 }] });
  expect(shortenText('abc', 3)).toBe('abc');
});

test.for(['a/b', 'YWJj//8=', 1, 0, -7, 2n ** 70n, 'a-b_c.d', 'x..', '...', 'é 海', 'a%2Fb', 'sub:7'])(
  'the id %s is safe in a path',
  (id) => expect(isPathPart(id)).toBe(true),
);

const unfit: readonly unknown[] = [
  ...['', '.', '..', 'a/../b', '/', '\\', 'a\u0000', 'a\nb', '\ud800', 'x'.repeat(1_001)],
  ...[null, true, {}, [], ['..'], { toString: 1 }],
];

test.for(unfit)('the id %j is unsafe in a path', (id) => expect(isPathPart(id)).toBe(false));

const layout = {
  values: { id: ['data', 'id'], next: ['data', 'next'], list: ['data', 'list'], url: ['data', 'url'] },
  items: { id: ['id'], name: ['name'] },
};

test('omits an unsafe id, but not the other values', () => {
  const list = [
    { id: '..', name: '..' },
    { id: 7, name: 'b' },
    { id: {}, name: {} },
  ];
  const data = { id: '..', next: { toString: 1 }, url: '..', list };
  expect(readValues(layout, { data })).toEqual({
    url: '..',
    list: [{ name: '..' }, { id: 7, name: 'b' }, { name: {} }],
  });
});

test('returns safe ids unchanged', () => {
  const data = { id: 'a', next: 'b/../c', list: [{ id: null, name: 'd' }] };
  expect(readValues(layout, { data })).toEqual(data);
});
