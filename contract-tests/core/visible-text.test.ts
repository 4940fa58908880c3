import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { operationsOf } from '../../openapi/operations.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { resolve } from '../../openapi/resolve.ts';
import { secretAnswers } from '../../openapi/secret-names.ts';
import { visible, visibleJson, visibleLines } from './visible-text.ts';
import { visibleYaml } from './visible-yaml.ts';

test.for([
  ['a line end', 'a\nb', 'a\\nb'],
  ['carriage return, backspace and tab', 'a\rb\bc\td', 'a\\u000db\\u0008c\\u0009d'],
  ['ESC and OSC', '\u001b[31mred\u001b]0;title\u0007', '\\u001b[31mred\\u001b]0;title\\u0007'],
  ['C1', 'a\u0085\u009b31m', 'a\\u0085\\u009b31m'],
  ['bidi', 'a\u202eb\u2066c\u200fd\u061ce', 'a\\u202eb\\u2066c\\u200fd\\u061ce'],
  ['unseen', 'a\u200bb\u00adc\ufeffd\u3164e\ufe0f', 'a\\u200bb\\u00adc\\ufeffd\\u3164e\\ufe0f'],
  ['joiners outside emoji', 'a\u200db👍\u200d', 'a\\u200db👍\\u200d'],
  ['line separators', 'a\u2028b\u2029c', 'a\\u2028b\\u2029c'],
  ['tags', 'a\u{e0041}b', 'a\\udb40\\udc41b'],
  ['a lone surrogate', 'a\ud800b\udc00c', 'a\ufffdb\ufffdc'],
  ['a noncharacter', 'a\uffffb', 'a\\uffffb'],
  ['a command of Azure', 'a ##vso[x]b', 'a #\\u0023vso[x]b'],
  ['a command of GitHub anywhere', 'a ##[add-mask]b', 'a #\\u0023[add-mask]b'],
  ['a command of TeamCity', '##TeamCity[x]', '#\\u0023TeamCity[x]'],
  ['several hash signs', '####[x]', '###\\u0023[x]'],
  ['a command at the start', '::add-mask::x', '\\u003a:add-mask::x'],
  ['a command after blanks', ' \u00a0::stop-commands::x', ' \u00a0\\u003a:stop-commands::x'],
] as const)('shows %s in one line', ([, given, want]) => {
  expect(visible(given)).toBe(want);
  expect(visible(want)).toBe(want);
});

test.for([
  '👩‍💻 ❤️ 1️⃣ 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} 🇨🇳',
  '示例站点 – “é” 👍',
  'a ## b [c]',
  'http://[::1]:80/x',
  'a::b',
  '',
])('does not change %j', (text) => {
  expect(visible(text)).toBe(text);
});

test('preserves line ends and tabs, and escapes commands at the start of each line', () => {
  expect(visibleLines('a\r\n\tb\n  ::add-mask::x\n::y\rz')).toBe(
    'a\n\tb\n  \\u003a:add-mask::x\n\\u003a:y\\u000dz',
  );
});

test.for([
  ['é\u00adë', 'é\\u00adë'],
  ['é\u0085ë', 'é\\u0085ë'],
  ['é\u007fë', 'é\\u007fë'],
] as const)('escapes invisible characters between Latin letters: %j', ([given, want]) => {
  expect(visibleLines(given)).toBe(want);
});

test('writes JSON that parses to the same value', () => {
  const value = { '##[x]': ['::y\n::z', '\u001b\u009b\u202e\u{e0041}\ud800', 'é'] };
  const text = visibleJson(value, 2);
  expect(JSON.parse(text)).toEqual(value);
  expect(text).not.toMatch(/##\[|[^\P{C}\n]/u);
});

const texts = [
  'a\n::stop-commands::x\n##[y]',
  '::x',
  `${'word '.repeat(30)}::set-env::${' word'.repeat(30)} ##vso[z]`,
  '# no comment\r\ninjected: true',
  '\u001b[2J\u009b\u0085\u2028\u202e\u200b\ufeff',
  '\u{e0041}',
  'plain 示例 👩‍💻',
  '',
];

test.for(texts)('writes %j as safe YAML, as a value and as a key', (text) => {
  const value = { a: text, [text]: [{ b: text }], list: [text, 7, null] };
  const written = visibleYaml(value);
  expect(parse(written)).toEqual(value);
  expect(visibleLines(written)).toBe(written);
});

test('does not change harmless YAML', () => {
  const value = { a: 'word '.repeat(40), b: 'two\nlines', c: ['x: y', true] };
  expect(visibleYaml(value)).toBe(stringify(value));
  expect(visibleYaml(value, { lineWidth: 0 })).toBe(stringify(value, { lineWidth: 0 }));
});

test('lists all operations whose answer contains a secret', () => {
  const operations = ['default', 'always-200-camel-case'].flatMap((name) =>
    operationsOf(resolve(loadProfile(name))),
  );
  const described = operations.filter(({ success: { layout } }) =>
    ['token', 'key', 'secret'].some((name) => name in layout.values),
  );
  expect(new Set(described.map(({ id }) => id))).toEqual(new Set(secretAnswers));
});
