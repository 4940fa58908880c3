import { expect, test } from 'vitest';
import { type Layout, readLayout, writeLayout } from './layout.ts';

const layout: Layout = {
  values: { id: ['data', 'a', 'id'], list: ['data', 'list'], total: ['data', 'total'] },
  items: { id: ['identity', 'id'], name: ['name'] },
};

test('a list that the answer does not show is left out', () => {
  const body = {};
  writeLayout({ values: { total: ['total'] }, items: {} }, { list: [{ id: 1 }], total: 1 }, body);
  expect(body).toEqual({ total: 1 });
});

test.for([
  [undefined, {}],
  ['text', {}],
  [{ data: null }, {}],
  [{ data: { a: { id: null }, list: 'none' } }, { id: null, list: 'none' }],
  [{ data: { list: [1, null, { name: 'x' }] } }, { list: [{}, {}, { name: 'x' }] }],
] as const)('of the answer %j, %j is read', ([body, want]) => {
  expect(readLayout(layout, body)).toEqual(want);
});
