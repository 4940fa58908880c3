import { expect, test } from 'vitest';
import { commonPart, toTemplate, withoutNumbers } from './data-template.ts';

const values = [
  ['id', 7],
  ['title', 'sitepub-1a2b-3 é海'],
  ['fields', { note: 'x' }],
] as const;

test.for<[what: string, data: unknown, template: unknown]>([
  ['a value, alone or as a text', { id: 7, key: '7' }, { id: '{id}', key: '{id}' }],
  ['a value within a text', { name: 'No. 7: "sitepub-1a2b-3 é海"' }, { name: 'No. {id}: "{title}"' }],
  ['a part of another number', { name: '17 of 7.5' }, { name: '17 of 7.5' }],
  ['an object', { form: { fields: { note: 'x' } } }, { form: { fields: '{fields}' } }],
  ['lists and constants', { tags: ['fixed', 7], kind: 2 }, { tags: ['fixed', '{id}'], kind: 2 }],
  ['what no other event would have', { at: '2026-05-01T12:00:00Z', ms: 1_777_640_400_000 }, {}],
])('known values are replaced: %s', ([, data, template]) => {
  expect(toTemplate(data, { values, known: ['id', 'title', 'fields'] })).toEqual(template);
});

test('without known values, a text of several words is the message', () => {
  const template = toTemplate(
    { reason: 'no page to publish', code: 'E1' },
    { values: [], known: ['message'] },
  );
  expect(template).toEqual({ reason: '{message}', code: 'E1' });
});

test('two templates have in common what is alike in both', () => {
  expect(commonPart({ a: 1, b: { c: '{id}', d: 2 } }, { a: 3, b: { c: '{id}', d: 4 } })).toEqual({
    b: { c: '{id}' },
  });
  expect(commonPart({ a: 1 }, { a: 2 })).toBeUndefined();
});

test('numbers may be others in another event', () => {
  expect(withoutNumbers({ message: '{message}', code: 3, more: { count: 1 } })).toEqual({
    message: '{message}',
    more: {},
  });
});
