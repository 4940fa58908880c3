import { expect, test } from 'vitest';
import { type BodyStyle, writeJson } from './write-json.ts';

const value = {
  event: 'form.submit',
  名: 'Zoë/咖啡😀"\u2028',
  list: [1, 2.5, null, true, [], {}],
  nested: { a: -0 },
};

test.each<[BodyStyle, string]>([
  [
    'compact',
    '{"event":"form.submit","名":"Zoë/咖啡😀\\"\u2028","list":[1,2.5,null,true,[],{}],"nested":{"a":0}}',
  ],
  [
    'spaced',
    '{"event": "form.submit", "名": "Zoë/咖啡😀\\"\u2028", "list": [1, 2.5, null, true, [], {}], "nested": {"a": 0}}',
  ],
  [
    'escaped',
    '{"event":"form.submit","\\u540d":"Zo\\u00eb\\/\\u5496\\u5561\\ud83d\\ude00\\"\\u2028","list":[1,2.5,null,true,[],{}],"nested":{"a":0}}',
  ],
])('writes %s JSON', (style, want) => {
  expect(writeJson(value, style)).toBe(want);
});

test('pretty JSON has a line for each member', () => {
  expect(writeJson({ a: { b: '名' } }, 'pretty')).toBe('{\n  "a": {\n    "b": "名"\n  }\n}');
});

test.each(['compact', 'spaced', 'escaped', 'pretty'] as const)('%s JSON has the same value', (style) => {
  expect(JSON.parse(writeJson(value, style))).toEqual(JSON.parse(JSON.stringify(value)));
});
