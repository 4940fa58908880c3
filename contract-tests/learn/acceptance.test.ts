// What is learnt from descriptions that ten frameworks have written, from some by hand, and from recordings of a browser.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { makeProfile } from '../../openapi/profile.ts';
import type { DescribedOperation } from './described-operation.ts';
import { describeOperations } from './description/describe-operations.ts';
import { type Learning, learnOperations } from './learn-operations.ts';
import { deletionsIn } from './learnt-findings.ts';
import { learnRecordings } from './recording/learn-recordings.ts';
import { readHar } from './recording/read-har.ts';
import { differencesIn, type ExpectedLine, isSameCall } from './testing/compare-lines.ts';

const folder = new URL('fixtures/', import.meta.url);
const textOf = (file: string) => readFileSync(new URL(file, folder), 'utf8');
/** By file and name of the operation; the others are not offered. */
const expected: Record<string, Record<string, ExpectedLine>> = JSON.parse(textOf('expected.json'));
const [byHand, frozen] = [true, false].map((isByHand) =>
  Object.keys(expected).filter((file) => file.endsWith('.yaml') === isByHand),
);

test('the right call comes first, nearly always without a doubt, and nothing wrong is clear', () => {
  const lines = frozen?.flatMap((file) => judge(file, learn(file))) ?? [];
  const told = lines.filter(({ isTold }) => isTold);
  expect(lines.filter(({ isClear, wrong }) => isClear && wrong.length > 0)).toEqual([]);
  expect(told.filter(({ isFirst }) => isFirst).length / told.length).toBeGreaterThanOrEqual(0.97);
  expect(told.filter(({ isClear }) => isClear).length / told.length).toBeGreaterThanOrEqual(0.93);
});

test.for(byHand ?? [])('the right calls of %s come first, and nothing wrong is clear', (file) => {
  const learning = learn(file);
  const lines = judge(file, learning);
  expect(lines.filter(({ isTold, isFirst }) => isTold && !isFirst)).toEqual([]);
  expect(lines.filter(({ isClear, wrong }) => isClear && wrong.length > 0)).toEqual([]);
});

test('nothing about answers is certain where they lack the envelope, and that is said once', () => {
  const learning = learn('root-arrays.yaml');
  expect(learning.operations.filter(({ isCertain }) => isCertain)).toEqual(deletionsIn(learning));
  expect(learning.notes).toEqual([expect.stringContaining('are described without code, message and data')]);
});

test('each fixture has its expected lines', () => {
  const files = readdirSync(folder).filter((file) => file !== 'expected.json');
  expect(files.toSorted()).toEqual(Object.keys(expected).toSorted());
});

function judge(file: string, { operations }: Learning) {
  const certain = operations.filter(({ isCertain }) => isCertain);
  makeProfile(Object.fromEntries(certain.map(({ gap, value }) => [gap.id, value])), {
    name: 'learnt',
    source: 'learnt',
  });
  return operations.map(({ gap, value, isCertain }) => {
    const line = expected[file]?.[gap.id.slice('operation.'.length)];
    return {
      file,
      gap: gap.id,
      isTold: line !== undefined && line.known !== 'untold',
      isFirst: line !== undefined && isSameCall(value, line),
      isClear: isCertain,
      wrong: line ? differencesIn(gap.id, value, line) : ['it is not offered'],
    };
  });
}

function learn(file: string): Learning {
  return learnOperations(operationsIn(file), { given: {} });
}

function operationsIn(file: string): DescribedOperation[] {
  if (file.endsWith('.har')) {
    const recording = readHar(fileURLToPath(new URL(file, folder)), file);
    return learnRecordings(recording).operations;
  }
  const root = file.endsWith('.yaml') ? parse(textOf(file)) : JSON.parse(textOf(file));
  return describeOperations(root, { name: file, text: '', basePath: '/api/v1' });
}
