import { expect, test } from 'vitest';
import { shortenJson, shortenText, withoutLongLists } from './shorten-json.ts';

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

test('keeps what is short as it is', () => {
  const value = { list: [{ a: 1 }, { b: 2 }] };
  expect(withoutLongLists(value, 2)).toBe(value);
  expect(withoutLongLists(value, 1)).toEqual({ list: [{ a: 1 }] });
  expect(shortenText('abc', 3)).toBe('abc');
});
