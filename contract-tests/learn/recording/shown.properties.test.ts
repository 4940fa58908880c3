// Each shown word of a recording comes from operations.yaml, the options or the sources of sitepub.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LearnError } from '../learn-error.ts';
import { splitWords, unknownWords } from '../words.ts';
import { learnRecordings } from './learn-recordings.ts';
import { parseHar } from './read-har.ts';
import { isShownName, isShownValue } from './shown.ts';
import { api, harOf, type WrittenCall } from './testing/write-har.ts';

const files = [
  'learn-recordings.ts',
  'recorded-operations.ts',
  'read-har.ts',
  'shown.ts',
  '../fields.ts',
  '../operations.yaml',
];
const sources = files.map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'));
const known = new Set(splitWords(sources.join(' ')).split(' '));

function shownOf(calls: readonly WrittenCall[]): string {
  try {
    const { operations, notes } = learnRecordings(parseHar(harOf(calls), 'console.har'), api);
    return JSON.stringify([operations, notes]);
  } catch (error) {
    if (error instanceof LearnError) return error.message;
    throw error;
  }
}

function strangeWords(shown: string): string[] {
  const words = splitWords(shown.replaceAll(api, ' ').replaceAll('console.har', ' ').replace(/\d+/g, ' '));
  return words.split(' ').filter((word) => !known.has(word) && unknownWords(word).length > 0);
}

/** Places of a secret in a recording. */
const places: readonly ((text: string) => WrittenCall)[] = [
  (text) => ({ path: `/tenant/${encodeURIComponent(text)}/sites` }),
  (text) => ({ path: `/tenant/sites/${text}` }),
  (text) => ({ path: `/tenant/sites/7:${text}` }),
  (text) => ({ path: `/tenant/sites?state=${encodeURIComponent(text)}&${encodeURIComponent(text)}=true` }),
  (text) => ({
    method: 'POST',
    path: '/tenant/sites',
    body: { name: text, [text]: true, state: text, tags: [text] },
  }),
  (text) => ({ method: 'POST', path: '/tenant/sites', body: [{ site: { [text]: { id: text } } }] }),
  (text) => ({ method: text, path: '/tenant/sites', headers: { Authorization: text, [text]: text } }),
  (text) => ({ path: '/tenant/sites', data: { id: text, list: [{ [text]: text, name: text }] } }),
  (text) => ({
    path: '/tenant/sites',
    answer: { code: 0, message: text, trace_id: text, [text]: { id: 1 } },
  }),
  (text) => ({ path: `/tenant/${encodeURIComponent(text)}`, answer: { code: text, message: text } }),
  (text) => ({ path: `https://api.example.com/${text}` }),
  (text) => ({
    path: '/tenant/sites',
    entry: { request: { method: 'POST', url: `${api}/sites`, postData: { text } } },
  }),
  (text) => ({
    path: '/tenant/sites',
    entry: { startedDateTime: text, response: { status: text, content: { text } } },
  }),
];

const secret = fc.oneof(
  fc.string({ minLength: 6, unit: 'grapheme' }),
  fc.base64String({ minLength: 16 }),
  fc
    .tuple(fc.constantFrom('site', 'keys', 'publish-', 'id_', 'The'), fc.stringMatching(/^[A-Za-z]{5,9}$/))
    .map((all) => all.join('')),
);

test('shows no other word, wherever it is', () => {
  const property = fc.property(
    secret,
    fc.array(fc.constantFrom(...places), { minLength: 1, maxLength: 4 }),
    (text, plants) => {
      const calls = plants.map((plant) => plant(text));
      expect(strangeWords(shownOf([{ path: '/tenant/sites', data: { list: [] } }, ...calls]))).toEqual([]);
    },
  );
  expect(fc.defaultReportMessage(fc.check(property, { numRuns: 400 }))).toBe(undefined);
});

test.for([
  'siteWilhelmina',
  'sItE',
  'site!',
  '-site',
  'site--key',
  'site key',
  'site1',
  '',
  'x',
  '42',
  'ѕite',
  'site-key-form-comment-post',
])('hides the name %j', (name) => expect(isShownName(name)).toBe(false));

test('shows names of the table and a few values', () => {
  const names = [
    'sites',
    'siteId',
    'api_keys',
    'Form.Submissions',
    'createdAt',
    'zhandianliebiao',
    '站点',
    'code',
  ];
  expect(names.filter((name) => !isShownName(name))).toEqual([]);
  expect([true, 'live', 'Live', 'hunter2', 7, null].filter((value) => isShownValue(value))).toEqual([
    true,
    'live',
  ]);
});
