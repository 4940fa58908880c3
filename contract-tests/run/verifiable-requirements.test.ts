import { expect, test } from 'vitest';
import { loadPackagedProfile, makeProfile, statedValues } from '../../openapi/profile.ts';
import { verifiableRequirements } from './verifiable-requirements.ts';

test('says what a profile lets a run verify, and what is missing for the rest', () => {
  const { total, verified, missing } = verifiableRequirements(loadPackagedProfile('default'));
  expect(verified.length).toBe(total - 2);
  expect(missing.map(({ requirement }) => requirement)).toEqual(['RECV-1', 'RECV-2']);
});

test('counts no event of a content item that can not be created', () => {
  const { 'operation.create-content': _, ...stated } = statedValues(loadPackagedProfile('default'));
  const { missing } = verifiableRequirements(makeProfile(stated, { name: 'x', source: 'x' }));
  const reason = 'needs to know how to call it; state operation.create-content in a profile';
  expect(missing.slice(0, 3)).toEqual(
    ['EVENT-6', 'EVENT-7', 'EVENT-8'].map((requirement) => ({ requirement, reason })),
  );
});

test.for([
  ['operation.create-content', ['EVENT-6', 'EVENT-7', 'EVENT-8']],
  ['operation.create-key', ['KEY-4']],
] as const)('counts nothing that takes an identifier which %s does not name', ([gap, lost]) => {
  const stated = statedValues(loadPackagedProfile('default'));
  const { id: _, ...call } = stated[gap] as { id?: string };
  const profile = makeProfile({ ...stated, [gap]: call }, { name: 'x', source: 'x' });
  const { missing } = verifiableRequirements(profile);
  const reason = `needs the identifier of what is created; state id in ${gap}`;
  expect(missing.filter((one) => !one.requirement.startsWith('RECV'))).toEqual(
    lost.map((requirement) => ({ requirement, reason })),
  );
});

test('names the gap that is missing', () => {
  const { 'operation.ai': _, ...stated } = statedValues(loadPackagedProfile('default'));
  const { missing } = verifiableRequirements(makeProfile(stated, { name: 'x', source: 'x' }));
  expect(missing.find(({ requirement }) => requirement === 'LIMIT-7')?.reason).toContain(
    'state operation.ai',
  );
});
