import { expect, test } from 'vitest';
import { type AreaFindings, documentFindings, formatFindings, isClean } from './mutation-findings.ts';

const survivor = { file: 'mock/x.ts', line: 'if (a || b)', name: 'a → `b`', explanation: undefined };
const explanation = {
  file: 'mock/x.ts',
  line: 'if (a || b)',
  mutants: ['a → `b`'],
  kind: 'gap',
  reason: 'Nobody says.',
} as const;
const explained = { ...survivor, explanation: { ...explanation, mutants: [...explanation.mutants] } };
const findings: AreaFindings = {
  area: { name: 'mock', title: 'the mock' },
  seed: 1,
  all: 100,
  fates: { killed: 6, warned: 1, survived: 3 },
  minutes: 2.345,
  survivors: [explained],
  stale: [],
};

test('is clean when every survivor is explained and every explanation holds', () => {
  expect(isClean(findings)).toBe(true);
  expect(isClean({ ...findings, survivors: [survivor] })).toBe(false);
  expect(isClean({ ...findings, stale: ['mock/x.ts'] })).toBe(false);
});

test('says the score, and counts the survivors by kind', () => {
  expect(formatFindings(findings).split('\n')).toEqual([
    'mock, seed 1: of 100 mutants, 10 were tried in 2.3 minutes; 6 (60 %) were killed, 1 (10 %) warned of without a failure, 3 (30 %) survived',
    '     1  gap: the document leaves it open',
  ]);
});

test('lists what nobody explained, ready to be completed, and what is out of date', () => {
  const text = formatFindings({ ...findings, survivors: [survivor], stale: ['mock/x.ts: if: a → b'] });
  expect(text).toContain(
    '- file: mock/x.ts\n  line: if (a || b)\n  mutants:\n    - a → `b`\n  kind: ""\n  reason: ""\n\n1 explained, but out of date',
  );
  expect(text).toContain('\nmock/x.ts: if: a → b');
});

test('writes a table that code can stand in', () => {
  expect(documentFindings(findings)).toContain(
    '| x.ts | ` if (a \\|\\| b) `<br>`` a → `b` `` | **gap**: Nobody says. |',
  );
});
