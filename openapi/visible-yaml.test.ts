import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { visibleLines } from './visible-text.ts';
import { visibleYaml } from './visible-yaml.ts';

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

test.for(texts)('%j reads as the same text, as a value and as a key, and is safe to print', (text) => {
  const value = { a: text, [text]: [{ b: text }], list: [text, 7, null] };
  const written = visibleYaml(value);
  expect(parse(written)).toEqual(value);
  expect(visibleLines(written)).toBe(written);
});

test('what is harmless is written as ever', () => {
  const value = { a: 'word '.repeat(40), b: 'two\nlines', c: ['x: y', true] };
  expect(visibleYaml(value)).toBe(stringify(value));
  expect(visibleYaml(value, { lineWidth: 0 })).toBe(stringify(value, { lineWidth: 0 }));
});
