import { expect, test } from 'vitest';
import { parseExactly, writeExactly } from './page/exact-json.ts';

test('what a page reads and sends has every digit', () => {
  const text = '{"id":1892345678901234567,"list":[7,-1.5,1e30],"text":"1892345678901234567"}';
  expect(parseExactly(text)).toEqual({
    id: 1892345678901234567n,
    list: [7, -1.5, 1e30],
    text: '1892345678901234567',
  });
  expect(writeExactly(parseExactly(text))).toBe(text.replace('1e30', '1e+30'));
  expect(() => parseExactly('{')).toThrow(SyntaxError);
});
