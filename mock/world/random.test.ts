import { expect, test } from 'vitest';
import { drawHex, drawText, drawUuid } from './random.ts';

test('the same state draws the same values, another state draws others', () => {
  const draw = (random: number) => [drawHex({ random }, 32), drawText({ random }, 32), drawUuid({ random })];
  expect(draw(1)).toEqual(draw(1));
  expect(new Set([...draw(1), ...draw(2), ...draw(-1)]).size).toBe(9);
});

test.each([1, 8, 16, 33])('draws exactly %i digits or characters', (length) => {
  expect(drawHex({ random: 5 }, length)).toMatch(new RegExp(`^[0-9a-f]{${length}}$`));
  expect(drawText({ random: 5 }, length)).toMatch(new RegExp(`^[A-Za-z0-9]{${length}}$`));
});

test('100,000 draws differ, and so do UUIDs of all four variants', () => {
  const source = { random: 1 };
  expect(new Set(Array.from({ length: 100_000 }, () => drawHex(source, 16))).size).toBe(100_000);
  const variants = new Set(Array.from({ length: 100 }, () => drawUuid(source).charAt(19)));
  expect([...variants].sort()).toEqual(['8', '9', 'a', 'b']);
});
