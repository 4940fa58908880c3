import { expect, test } from 'vitest';
import { hasKeyword } from './has-keyword.ts';

test.each<[string, string[] | undefined, object, boolean]>([
  ['no keywords are set', undefined, {}, true],
  ['an empty list is set', [], {}, true],
  ['it is within a text', ['站点'], { text: { content: '示例站点 x' } }, true],
  ['one of several does', ['a', 'b'], { text: { content: 'xbx' } }, true],
  ['it is in a link', ['example.com'], { link: [{ url: 'https://example.com' }] }, true],
  ['it is written in another case', ['Alarm'], { text: 'alarm' }, false],
  ['it is the name of a member alone', ['content'], { content: 'x' }, false],
  ['it is a number', ['42'], { id: 42 }, false],
  ['it is nowhere', ['a'], { text: 'b', none: null }, false],
])('%s', (_case, keywords, message, want) => {
  expect(hasKeyword(keywords ? { keywords } : {}, message)).toBe(want);
});

test('searches a message of any depth', () => {
  const depth = 100_000;
  const message: object = JSON.parse(`{"a":${'['.repeat(depth)}"x"${']'.repeat(depth)}}`);
  expect(hasKeyword({ keywords: ['x'] }, message)).toBe(true);
  expect(hasKeyword({ keywords: ['y'] }, message)).toBe(false);
});
