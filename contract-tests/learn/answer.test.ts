import { expect, test } from 'vitest';
import { pointersSeen } from './answer.ts';

const sites = [{ site_id: 1, site_name: 'Café' }];
const pointers = { 'item.id': '/site_id', 'item.name': '/site_name' };

test.for<[data: object, want: object]>([
  [{ websites: sites }, { list: '/data/websites', ...pointers }],
  [{ 'ada@mail.example': sites }, {}],
  [{ list: [{ ...sites[0], ada: { name: 'x' } }] }, { list: '/data/list', ...pointers }],
])('finds in the answer data %j the pointers %j', ([data, want]) => {
  expect(pointersSeen('operation.list-sites', { code: 0, message: '', data, trace_id: '' })).toEqual(want);
});
