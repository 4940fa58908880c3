// Learns from descriptions of ten frameworks, handwritten descriptions, and recordings of a browser.
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
/** By file and operation; other operations are not offered. */
const expected: Record<string, Record<string, ExpectedLine>> = JSON.parse(textOf('expected.json'));
const [byHand, frozen] = [true, false].map((isByHand) =>
  Object.keys(expected).filter((file) => file.endsWith('.yaml') === isByHand),
);

test('ranks the right call first, nearly always without a doubt, and states no wrong call as certain', () => {
  const lines = frozen?.flatMap((file) => judge(file, learn(file))) ?? [];
  const shown = lines.filter(({ isShown }) => isShown);
  expect(lines.filter(({ isCertain, wrong }) => isCertain && wrong.length > 0)).toEqual([]);
  expect(shown.filter(({ isFirst }) => isFirst).length / shown.length).toBeGreaterThanOrEqual(0.97);
  expect(shown.filter(({ isCertain }) => isCertain).length / shown.length).toBeGreaterThanOrEqual(0.93);
});

test.for(byHand ?? [])('ranks the right calls of %s first, and states no wrong call as certain', (file) => {
  const learning = learn(file);
  const lines = judge(file, learning);
  expect(lines.filter(({ isShown, isFirst }) => isShown && !isFirst)).toEqual([]);
  expect(lines.filter(({ isCertain, wrong }) => isCertain && wrong.length > 0)).toEqual([]);
});

test('is certain of no answer without the envelope, and notes that once', () => {
  const learning = learn('root-arrays.yaml');
  expect(learning.operations.filter(({ isCertain }) => isCertain)).toEqual(deletionsIn(learning));
  expect(learning.notes).toEqual([expect.stringContaining('are described without code, message and data')]);
});

test('expects lines for each fixture', () => {
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
      isShown: line !== undefined && line.known !== 'untold',
      isFirst: line !== undefined && isSameCall(value, line),
      isCertain,
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
