import { expect, test } from 'vitest';
import { wordsIn } from '../testing.ts';
import { plainWord, shellWord } from './shell-word.ts';
import { visible } from './visible-text.ts';

test.for([
  ['plain', "'plain'"],
  ['', "''"],
  ["it's", `'it'\\''s'`],
  ['a\u001b[2Jb', `'a'"$(printf '\\033')"'[2Jb'`],
  ['a\nb', `'a'"$(printf '\\012\\142')"`],
  ['###[x]', `'##''#[x]'`],
] as const)('quotes %j', ([text, want]) => {
  expect(shellWord(text)).toBe(want);
});

const hostile = [
  `"$(touch /tmp/x)" \`id\` $HOME \\ !! !x ; & | > < * ? ~ # {a,b} %s %%`,
  `'; echo x; '`,
  'a\n\n::stop-commands::x\r\n\tb',
  'a\n\u001b\n\nb',
  '\u009b31m\u202e\u2066\u200b\ufeff\u{e0041}示例',
  '##[add-mask]x ###vso[y] ##teamcity[z]',
  '👩‍💻 ❤️',
  '-n',
];

test.for(hostile)('quotes %j as one harmless line that a shell reads back', (text) => {
  const word = shellWord(text);
  expect(visible(word)).toBe(word);
  for (const shell of ['sh', 'bash'] as const) expect(wordsIn(shell, word)).toEqual([text]);
});

test.for([
  ['/tmp/a-1/run.jsonl', '/tmp/a-1/run.jsonl'],
  ['my run.jsonl', `'my run.jsonl'`],
  ['$(id)', `'$(id)'`],
  ['', `''`],
] as const)('quotes %j only if necessary', ([text, want]) => {
  expect(plainWord(text)).toBe(want);
});

test('a trailing line end needs a common shell', () => {
  const word = shellWord('a\n\n');
  expect(visible(word)).toBe(word);
  expect(wordsIn('bash', word)).toEqual(['a\n\n']);
});
