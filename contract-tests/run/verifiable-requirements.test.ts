import { expect, test } from 'vitest';
import { loadPackagedProfile, makeProfile, statedValues } from '../../openapi/profile.ts';
import { verifiableRequirements } from './verifiable-requirements.ts';

test('says what a profile lets a run verify, and what is missing for the rest', () => {
  const { total, verified, missing } = verifiableRequirements(loadPackagedProfile('default'));
  expect(verified.length).toBe(total - 2);
  expect(missing.map(({ requirement }) => requirement)).toEqual(['RECV-1', 'RECV-2']);
});

test('names the gap that is missing', () => {
  const { 'operation.ai': _, ...stated } = statedValues(loadPackagedProfile('default'));
  const { missing } = verifiableRequirements(makeProfile(stated, { name: 'x', source: 'x' }));
  expect(missing.find(({ requirement }) => requirement === 'LIMIT-7')?.reason).toContain(
    'state operation.ai',
  );
});
