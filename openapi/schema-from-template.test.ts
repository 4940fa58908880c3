import { expect, test } from 'vitest';
import { schemaFromTemplate } from './schema-from-template.ts';

const options = {
  schemas: { id: { type: 'integer' }, note: { type: 'string' } },
  required: ['id'],
  gap: 'g',
};
const id = { type: 'integer', 'x-gap': 'g', 'x-value': 'id' };
const note = { type: 'string', 'x-gap': 'g', 'x-value': 'note' };

test.for([
  ['{id}', id],
  ['{other}', { 'x-gap': 'g', 'x-value': 'other' }],
  ['{constructor}', { 'x-gap': 'g', 'x-value': 'constructor' }],
  ['fixed', { type: 'string', const: 'fixed', 'x-gap': 'g' }],
  [5, { type: 'integer', const: 5, 'x-gap': 'g' }],
  [null, { type: 'null', const: null, 'x-gap': 'g' }],
  ['no. {id}', { type: 'string', pattern: '^no\\. ([\\s\\S]*)$', 'x-gap': 'g', 'x-template': 'no. {id}' }],
  [
    ['{id}', 'fixed'],
    {
      type: 'array',
      'x-gap': 'g',
      minItems: 2,
      prefixItems: [id, { type: 'string', const: 'fixed', 'x-gap': 'g' }],
    },
  ],
  [{}, { type: 'object', 'x-gap': 'g', properties: {} }],
  [
    { site: '{id}', remark: '{note}', kind: 'fixed' },
    {
      type: 'object',
      'x-gap': 'g',
      required: ['site', 'kind'],
      properties: { site: id, remark: note, kind: { type: 'string', const: 'fixed', 'x-gap': 'g' } },
    },
  ],
  [
    { inner: { remark: '{note}' } },
    {
      type: 'object',
      'x-gap': 'g',
      properties: { inner: { type: 'object', 'x-gap': 'g', properties: { remark: note } } },
    },
  ],
] as const)('the schema of %j', ([template, want]) => {
  expect(schemaFromTemplate(template, options)).toEqual(want);
});
