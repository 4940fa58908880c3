import { XMLValidator } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import { drawGrowth, steepest } from './draw-growth.ts';

const curve = (name: string, costs: readonly number[]) => ({
  name,
  points: costs.map((micros, index) => ({ size: 10 ** (index + 1), micros })),
});

test('is well-formed, and names each curve', () => {
  const drawing = drawGrowth([curve('a push', [50, 55]), curve('GET /a?b&c <d>', [100, 400])]);
  expect(XMLValidator.validate(drawing)).toBe(true);
  expect(drawing).toContain('>a push<');
  expect(drawing).toContain('>GET /a?b&amp;c &lt;d><');
});

test('places sizes and costs by their powers of ten', () => {
  const drawing = drawGrowth([curve('x', [10, 100, 1000])]);
  expect(drawing).toContain('points="64,320 382,170 700,20"');
});

test('draws nothing of nothing', () => {
  expect(() => drawGrowth([])).toThrow('nothing to draw');
});

test('of a row, the curve that rises most is drawn', () => {
  const [flat, steep] = [curve('flat', [90, 95]), curve('steep', [1, 2])];
  expect(steepest([flat, steep])).toEqual([steep]);
  expect(steepest([])).toEqual([]);
});
