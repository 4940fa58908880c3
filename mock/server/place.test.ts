import { expect, test } from 'vitest';
import { loadProfile, makeProfile, statedValues } from '../../openapi/profile.ts';
import { speak } from './place.ts';

test('profiles that say the same are spoken alike, however often they are read', () => {
  const profile = loadProfile('nested-201-uuid');
  const read = makeProfile(statedValues(profile), { name: profile.name, source: 'a store' });
  expect(read).not.toBe(profile);
  expect(speak(read)).toBe(speak(profile));
});

test('another value, or another name, is spoken otherwise', () => {
  const profile = loadProfile('nested-201-uuid');
  const values = statedValues(profile);
  const other = makeProfile({ ...values, 'login.status': 200 }, { name: profile.name, source: 'a store' });
  const named = makeProfile(values, { name: 'other', source: 'a store' });
  expect(new Set([profile, other, named].map(speak)).size).toBe(3);
});
