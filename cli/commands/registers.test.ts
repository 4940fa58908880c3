import { expect, test } from 'vitest';
import { loadPackagedProfile } from '../../openapi/profile.ts';
import { explainId, type RowKind, registerRows } from './registers.ts';

const profile = loadPackagedProfile('nested-201-uuid');

test('ids of the registers are unique without case', () => {
  const kinds = Object.keys(registerRows) as RowKind[];
  const ids = kinds.flatMap((kind) => registerRows[kind]().map(({ id }) => id.toLowerCase()));
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
});

const [check] = registerRows.checks();

test.for([
  ['env-1', { what: 'requirement', id: 'ENV-1', quote: expect.any(String), reading: expect.any(String) }],
  ['LOGIN.TOKEN', { what: 'gap', id: 'login.token', fills: 'pointer', in_profile: { name: profile.name } }],
  ['no-trace-id-on-404', { what: 'fault', requirement: 'ENV-1', promise: { quote: expect.any(String) } }],
  [
    `${check?.id}`,
    { what: 'check', requirement: check?.requirement, promise: { title: expect.any(String) } },
  ],
] as const)('explains %s', ([id, want]) => {
  expect(explainId(id, profile)).toMatchObject(want);
});
