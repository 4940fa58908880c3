import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  type Explanation,
  fateOf,
  findSurvivors,
  mutantNameOf,
  readExplanations,
  survivorKinds,
} from './survivors.ts';

const source = 'if (count > 3)\n  return stop;\nif (count > 4) go();\n';
const sourceOf = () => source;
const at = (line: number, [from, to]: [number, number]) => ({
  start: { line, column: from },
  end: { line, column: to },
});
const first = {
  fileName: 'mock/x.ts',
  location: at(1, [5, 14]),
  replacement: 'count >= 3',
  status: 'Survived',
};
const third = { fileName: 'mock/x.ts', location: at(3, [5, 14]), replacement: 'true', status: 'NoCoverage' };
const explanation: Explanation = {
  file: 'mock/x.ts',
  line: 'if (count > 3)',
  mutants: ['count > 3 → count >= 3'],
  kind: 'gap',
  reason: 'Nobody says.',
};

test('explains a survivor by its text, wherever it stands', () => {
  const all = [first, third];
  const { survivors, stale } = findSurvivors({ all, tried: all, explanations: [explanation], sourceOf });
  expect(survivors).toEqual([
    { file: 'mock/x.ts', line: 'if (count > 3)', name: 'count > 3 → count >= 3', explanation },
    { file: 'mock/x.ts', line: 'if (count > 4) go();', name: 'count > 4 → true', explanation: undefined },
  ]);
  expect(stale).toEqual([]);
});

test.for([
  ['Killed', 'KEY-2'],
  ['Killed', 'warned only: KEY-2 not verified'],
  ['Timeout', undefined],
] as const)('finds the explanation stale of a mutant that is %s (%s) now', ([status, statusReason]) => {
  const all = [{ ...first, status, statusReason }];
  const { stale } = findSurvivors({ all, tried: all, explanations: [explanation], sourceOf });
  expect(stale).toEqual(['mock/x.ts: if (count > 3): count > 3 → count >= 3: is detected now']);
});

test('finds an explanation stale when there is no such mutant any more, though not in another area', () => {
  const given = { tried: [], explanations: [explanation], sourceOf };
  expect(findSurvivors({ ...given, all: [third] }).stale).toEqual([
    'mock/x.ts: if (count > 3): count > 3 → count >= 3: is no mutant any more',
  ]);
  expect(findSurvivors({ ...given, all: [{ ...third, fileName: 'mock/y.ts' }] }).stale).toEqual([]);
});

test('keeps an explanation of what was not drawn', () => {
  expect(findSurvivors({ all: [first], tried: [], explanations: [explanation], sourceOf }).stale).toEqual([]);
});

test.for([
  ['Survived', undefined, 'survived'],
  ['NoCoverage', undefined, 'survived'],
  ['Killed', 'KEY-2', 'killed'],
  ['RuntimeError', 'no such module', 'killed'],
  ['Killed', 'warned only: KEY-2 not verified', 'warned'],
] as const)('takes %s (%s) for %s', ([status, statusReason, want]) => {
  expect(fateOf({ ...first, status, statusReason })).toBe(want);
});

test('names a mutant in one line, shortened', () => {
  expect(mutantNameOf('{\n  return  1;\n}', '{}')).toBe('{ return 1; } → {}');
  expect(mutantNameOf('x'.repeat(100), 'y')).toBe(`${'x'.repeat(50)} … ${'x'.repeat(15)} → y`);
});

test('every explanation is whole, and none is given twice', () => {
  const explanations = readExplanations();
  for (const { file, line, mutants, kind, reason } of explanations) {
    expect(Object.keys(survivorKinds)).toContain(kind);
    expect([file, line, reason, ...mutants].filter((text) => typeof text !== 'string' || !text)).toEqual([]);
  }
  const all = explanations.flatMap(({ file, line, mutants }) =>
    mutants.map((name) => [file, line, name].join(': ')),
  );
  expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
});

test('every explanation stands in docs/mutation.md', () => {
  const page = readFileSync('docs/mutation.md', 'utf8');
  const missing = readExplanations().filter(({ reason }) => !page.includes(reason));
  expect(missing).toEqual([]);
});
