import { expect, test } from 'vitest';
import { fieldsOf } from './field-list.ts';

const cases = [
  { list: '', want: [] },
  { list: 'tenant_id', want: [{ name: 'tenantId', isRequired: true, value: { type: 'integer' } }] },
  { list: 'role?', want: [{ name: 'role', isRequired: false, value: { type: 'string' } }] },
  {
    list: 'state:on|off',
    want: [{ name: 'state', isRequired: true, value: { type: 'string', values: ['on', 'off'] } }],
  },
  { list: 'state:on|off?', want: [{ name: 'state', isRequired: false, value: { values: ['on', 'off'] } }] },
  {
    list: 'tags[]?',
    want: [{ name: 'tags', isRequired: false, value: { type: 'array', items: { type: 'string' } } }],
  },
  {
    list: 'is_primary created_at',
    want: [
      { name: 'isPrimary', value: { type: 'boolean' } },
      { name: 'createdAt', value: { format: 'date-time' } },
    ],
  },
];

for (const { list, want } of cases)
  test(`reads the fields "${list}"`, () => {
    expect(fieldsOf(list, 'camel')).toMatchObject(want);
    expect(fieldsOf(list, 'camel')).toHaveLength(want.length);
  });
