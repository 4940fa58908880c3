import { expect, test } from 'vitest';
import { code, escapeMarkdown, fence, table } from './markdown-text.ts';

test.for([
  ['a | b', 'a \\| b'],
  ['a\r\n\tb', 'a b'],
  ['<b>&amp;', '&lt;b&gt;&amp;amp;'],
  [
    '*a* _b_ `c` [d](e) ~f~ #1 $x$ @me \\',
    '\\*a\\* \\_b\\_ \\`c\\` \\[d\\](e) \\~f\\~ #&#8203;1 \\$x\\$ @&#8203;me \\\\',
  ],
  ['a\u0000b\ud800\u202e', 'a\\\\u0000b�\\\\u202e'],
  ['##[add-mask]x', '#&#8203;\\\\u0023\\[add-mask\\]x'],
  ['![x](https://evil.example)', '!\\[x\\](https&#58;//evil.example)'],
  ['WWW.evil.example', 'WWW&#46;evil.example'],
  ['GH-12, gh-1; weigh-1 GH-x', 'GH&#8203;-12, gh&#8203;-1; weigh-1 GH-x'],
  ['- a', '\\- a'],
  ['---', '\\---'],
  ['===', '\\==='],
  ['12. a', '12\\. a'],
  ['--require: 2.4', '--require: 2.4'],
] as const)('escapes %j', ([given, want]) => {
  expect(escapeMarkdown(given)).toBe(want);
});

test.for([
  ['plain', '`plain`'],
  ['a`b', '``a`b``'],
  ['`a', '`` `a ``'],
  ['a\nb', '`a b`'],
] as const)('shows %j as code', ([given, want]) => {
  expect(code(given)).toBe(want);
});

test('takes a fence that is longer than any in the text', () => {
  expect(fence('a\r\n````\nb', 'text')).toBe('`````text\na\n````\nb\n`````');
  expect(fence('a', 'sh')).toBe('```sh\na\n```');
});

test('keeps each cell of a table in its cell', () => {
  expect(table(['x', 'y'], [['1|2', '3\n4']])).toBe('| x | y |\n| --- | --- |\n| 1\\|2 | 3 4 |');
});

test('a text of many runs of backticks is fenced', () => {
  expect(fence('` '.repeat(400_000), '')).toMatch(/^```\n/);
});
