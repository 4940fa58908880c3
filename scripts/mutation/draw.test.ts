import { expect, test } from 'vitest';
import { draw, rangeOf, readRange } from './draw.ts';
import type { Mutant } from './mutant.ts';

const sources: Record<string, string> = {
  'a.ts': 'one;\ntwo;\none;\n',
  'b.ts': Array.from({ length: 400 }, (_, index) => `call${index};`).join('\n'),
};
const sourceOf = (fileName: string) => sources[fileName] ?? '';

function mutantsOf(fileName: string): Mutant[] {
  return sourceOf(fileName)
    .split('\n')
    .flatMap((text, index) => {
      const line = index + 1;
      const location = { start: { line, column: 1 }, end: { line, column: text.length } };
      return ['x', 'y'].map((replacement) => ({ fileName, location, replacement, status: 'Ignored' }));
    });
}

test('draws all mutants of a place or none, and about the share that was asked for', () => {
  const drawn = draw(mutantsOf('b.ts'), { seed: 1, share: 0.25, sourceOf });
  const lines = drawn.map(({ location }) => location.start.line);
  expect(new Set(lines).size * 2).toBe(lines.length);
  expect(lines.length / 800).toBeCloseTo(0.25, 1);
});

test('draws the same by the same seed, and something else by another', () => {
  const linesOf = (seed: number) =>
    draw(mutantsOf('b.ts'), { seed, share: 0.1, sourceOf }).map(({ location }) => location.start.line);
  expect(linesOf(1)).toEqual(linesOf(1));
  expect(linesOf(1)).not.toEqual(linesOf(2));
});

test('draws the same when other code comes before it', () => {
  const textsOf = (source: string) => {
    const moved = { ...sources, 'b.ts': source };
    const location = (line: number) => ({ start: { line, column: 1 }, end: { line, column: 6 } });
    const mutants = source.split('\n').map((_, index) => ({
      fileName: 'b.ts',
      location: location(index + 1),
      status: 'Ignored',
    }));
    return draw(mutants, { seed: 1, share: 0.3, sourceOf: (name: 'b.ts') => moved[name] ?? '' }).map(
      ({ location: { start } }) => source.split('\n')[start.line - 1],
    );
  };
  const source = sourceOf('b.ts');
  expect(textsOf(`new;\n${source}`).filter((text) => text !== 'new;')).toEqual(textsOf(source));
});

test('tells places of the same text apart', () => {
  const seeds = Array.from({ length: 40 }, (_, index) => index);
  const linesOf = (seed: number) =>
    draw(mutantsOf('a.ts'), { seed, share: 0.5, sourceOf }).map(({ location }) => location.start.line);
  const both = seeds.map(linesOf).map((lines) => [lines.includes(1), lines.includes(3)]);
  expect(both).toContainEqual([true, false]);
  expect(both).toContainEqual([false, true]);
});

test('writes a place as Stryker takes it, and reads it again', () => {
  const location = { start: { line: 3, column: 5 }, end: { line: 4, column: 9 } };
  expect(rangeOf('mock/x.ts', location)).toBe('mock/x.ts:3:4-4:8');
  expect(readRange('mock/x.ts:3:4-4:8')).toEqual(location);
  expect(readRange('mock/*.ts')).toBeUndefined();
});
