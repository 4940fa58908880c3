import { expect, test } from 'vitest';
import { toTemplate, withoutConstants } from './data-template.ts';

const values = [
  ['id', 7],
  ['title', 'sitepub-1a2b-3 é海'],
  ['fields', { note: 'x' }],
] as const;

test.for<[what: string, data: unknown, template: unknown]>([
  ['a value as such or as text', { id: 7, key: '7' }, { id: '{id}', key: '{id}' }],
  ['a value within a text', { name: 'No. 7: "sitepub-1a2b-3 é海"' }, { name: 'No. {id}: "{title}"' }],
  ['a part of another number', { name: '17 of 7.5' }, { name: '17 of 7.5' }],
  ['an object', { form: { fields: { note: 'x' } } }, { form: { fields: '{fields}' } }],
  ['lists and constants', { tags: ['fixed', 7], kind: 2 }, { tags: ['fixed', '{id}'], kind: 2 }],
  [
    'no secret',
    { pass_key: 'a', by: { token: 'b', key: 7 }, url: 'https://s.example/?t=c' },
    { by: { key: '{id}' } },
  ],
  [
    'no address with access in a list',
    { urls: ['https://s.example/a', 'https://s.example/?t=c'], of: [{ ms: 1_777_640_400_000 }, 7] },
    { of: [{}, '{id}'] },
  ],
  ['values that no other event repeats', { at: '2026-05-01T12:00:00Z', ms: 1_777_640_400_000 }, {}],
])('replaces known values: %s', ([, data, template]) => {
  expect(toTemplate(data, { values, known: ['id', 'title', 'fields'] })).toEqual(template);
});

test('takes a text of several words for the message without known values', () => {
  const template = toTemplate(
    { reason: 'no page to publish', code: 'E1' },
    { values: [], known: ['message'] },
  );
  expect(template).toEqual({ reason: '{message}', code: 'E1' });
});

test('removes constants without known values', () => {
  const template = {
    id: '{id}',
    by: '',
    of: { kind: 2, text: 'No. {id}' },
    tags: ['fixed', '{id}'],
    all: ['{id}'],
  };
  expect(withoutConstants(template)).toEqual({ id: '{id}', of: { text: 'No. {id}' }, all: ['{id}'] });
  expect(withoutConstants({ kind: 'fixed', more: {} })).toBeUndefined();
});
