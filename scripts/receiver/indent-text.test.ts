import { expect, test } from 'vitest';
import { escapeControlCharacters, escapeToLine, indentJson } from './indent-text.ts';

test.for([
  ['plain 示例 🚀', 'plain 示例 🚀'],
  ['two\nlines\r\nand\ta tab', 'two\nlines\nand\ta tab'],
  ['\u001b[31mred\u001b]0;title\u0007', '\\u001b[31mred\\u001b]0;title\\u0007'],
  ['\u009b2J\u007f\u0000\b', '\\u009b2J\\u007f\\u0000\\u0008'],
  ['over\rwritten', 'over\\u000dwritten'],
  ['a\u202eb\u2066c\u2028d\ufeff', 'a\\u202eb\\u2066c\\u2028d\\ufeff'],
  ['half \ud83d', 'half \ufffd'],
  ['\u{1f469}\u200d\u{1f4bb}', '\u{1f469}\u200d\u{1f4bb}'],
] as const)('%j is made harmless', ([text, want]) => {
  expect(escapeControlCharacters(text)).toBe(want);
});

test('in one line, line feeds are escaped as well', () => {
  expect(escapeToLine('a\nb\r\nc\td')).toBe('a\\u000ab\\u000ac\\u0009d');
});

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
