import { expect, test } from 'vitest';
import { cutText, fitMessage } from './cut-text.ts';

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, '…'],
  ['abcdefg', 6, 'abc…'],
  ['咖啡馆', 9, '咖啡馆'],
  ['咖啡馆x', 9, '咖啡…'],
  ['咖啡馆x', 8, '咖…'],
  ['a😀b', 6, 'a😀b'],
  ['a😀bc', 6, 'a…'],
  ['', 0, ''],
])('"%s" in %i bytes is "%s"', (text, limit, want) => {
  expect(cutText(text, limit)).toBe(want);
});

test.each(['栞', 'a', '😀', '"', '\n', '\u0007', 'é"'])(
  'a message of many %j is cut to its limit, and no character is broken',
  (unit) => {
    const build = (text: string) => JSON.stringify({ msgtype: 'text', text: { content: text } });
    for (const limit of [100, 101, 102, 103, 104]) {
      const message = fitMessage(build, unit.repeat(1500), limit);
      expect(Buffer.byteLength(message)).toBeLessThanOrEqual(limit);
      expect(Buffer.byteLength(message)).toBeGreaterThan(limit - 10);
      expect(JSON.parse(message).text.content.replaceAll(unit, '').replace(unit.charAt(0), '')).toBe('…');
    }
  },
);

test('a message that fits is not cut', () => {
  expect(fitMessage((text) => `<${text}>`, 'abc', 5)).toBe('<abc>');
});
