import { expect, test } from 'vitest';
import { findGap } from '../../openapi/registers.ts';
import { usesOfOperations } from './operation-uses.ts';

test('says which requirements an operation would verify', () => {
  const uses = usesOfOperations();
  expect(uses.get('operation.import-site')).toEqual(['IDEM-3', 'IDEM-4', 'IDEM-5']);
  expect(uses.get('operation.submit-form')).toEqual(expect.arrayContaining(['EVENT-9', 'RETRY-1', 'SIG-6']));
  expect(uses.get('operation.create-content')).toEqual(
    expect.arrayContaining(['EVENT-6', 'EVENT-7', 'EVENT-8']),
  );
  expect([...uses.keys()].filter((id) => findGap(id) === undefined)).toEqual([]);
});
