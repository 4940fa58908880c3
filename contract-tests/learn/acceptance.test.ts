// Learns from descriptions of ten frameworks, handwritten descriptions, and recordings of a browser.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { isObject } from '../../openapi/json.ts';
import { makeProfile } from '../../openapi/profile.ts';
import { findGap } from '../../openapi/registers.ts';
import { readCall, type StatedCall } from '../../openapi/stated-call.ts';
import type { DescribedOperation } from './described-operation.ts';
import { describeOperations } from './description/describe-operations.ts';
import { type Learning, learnOperations } from './learn-operations.ts';
import { deletionsIn } from './learnt-findings.ts';
import { learnRecordings } from './recording/learn-recordings.ts';
import { readHar } from './recording/read-har.ts';

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

interface ExpectedLine {
  value: Record<string, unknown>;
  /** `untold`: the source does not show it. */
  known?: 'call-only' | 'untold';
  /** Members that the source does not show. */
  untold?: readonly string[];
}

/** Compares only method and path. */
function isSameCall(value: unknown, expected: ExpectedLine): boolean {
  const [call, right] = [readCall(value), readCall(expected.value)];
  return call !== undefined && call.method === right?.method && bare(call.path) === bare(right.path);
}

/** Pointers, notes and pages may be missing. */
function differencesIn(gap: string, value: unknown, expected: ExpectedLine): string[] {
  const [call, right] = [readCall(value), readCall(expected.value)];
  if (!call || !right) return [`${show(value)} instead of ${show(expected.value)}`];
  const [given, wanted] = [membersOf(gap, call), membersOf(gap, { ...promised(gap), ...right })];
  const names = [...new Set([...given.keys(), ...wanted.keys()])];
  const untold = expected.untold ?? [];
  return names
    .filter(
      (name) =>
        !untold.includes(name.replace(/\/.*/, '') || name) &&
        !isDeepStrictEqual(given.get(name), wanted.get(name)),
    )
    .filter((name) => given.has(name) || !mayBeLeftOut(name, wanted.get(name)))
    .map((name) => `${name} ${show(given.get(name))} instead of ${show(wanted.get(name))}`);
}

function bare(path: string): string {
  return path.replace(/\{\w+\}/g, '{}');
}

/** Members by name; body and query by the places of their values. */
function membersOf(
  gap: string,
  { body, query, parameters: _query, auth, status, ...rest }: StatedCall,
): Map<string, unknown> {
  const isOpen = gap === 'operation.submit-form' || gap === 'operation.create-comment';
  const usual = { auth: auth ?? (isOpen ? 'none' : 'bearer'), status: status ?? 200 };
  return new Map(
    Object.entries({ ...rest, ...usual, ...leavesOf(body, 'body'), ...leavesOf(query, 'query') }),
  );
}

/** Default pointers. */
function promised(gap: string): Record<string, string> {
  const isList = findGap(gap)?.reads?.includes('list');
  return isList ? { list: '/data/list', total: '/data/total' } : {};
}

function leavesOf(template: unknown, place: string): Record<string, unknown> {
  if (!isObject(template)) return template === undefined ? {} : { [place]: template };
  return Object.assign(
    {},
    ...Object.entries(template).map(([key, part]) => leavesOf(part, `${place}/${key}`)),
  );
}

const optional = ['note', 'page', 'page_size', 'offset', 'limit', 'cursor'].map((name) => `{${name}}`);

function mayBeLeftOut(name: string, value: unknown): boolean {
  const isPointer = !/^(method|path|auth|status|body|query)(\/|$)/.test(name);
  return isPointer || optional.includes(String(value));
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}
