import { expect, test } from 'vitest';
import { indentJson } from './indent-text.ts';

test.for([
  ['{}', '{}'],
  [' [ ] ', '[]'],
  ['"a"', '"a"'],
  ['{"a":1}', '{\n  "a": 1\n}'],
  ['{"a":{},"b":[],"c":[{}]}', '{\n  "a": {},\n  "b": [],\n  "c": [\n    {}\n  ]\n}'],
  ['{"a" : 1.0,\r\n "a":9007199254740993123}', '{\n  "a": 1.0,\n  "a": 9007199254740993123\n}'],
  ['["\\u793a\\/","a{,:}[\\"]"]', '[\n  "\\u793a\\/",\n  "a{,:}[\\"]"\n]'],
  ['{"a":', '{"a":'],
  ['not JSON', 'not JSON'],
  ['', ''],
] as const)('%j is indented', ([text, want]) => {
  expect(indentJson(text)).toBe(want);
});

test('indents as JSON.stringify does', () => {
  const value = { a: [1, { b: null, c: [[], [true, 'x, y: [z]']] }], d: {}, e: '"\\' };
  expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
});

test('what is nested too deeply is left as it is', () => {
  const text = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
  expect(indentJson(text)).toBe(text);
});
