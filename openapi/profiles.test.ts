// The profiles that come with the package.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadProfile, statedValues } from './profile.ts';
import { gaps } from './registers.ts';
import { profileNames } from './testing/profile-names.ts';

test('there are those that tests name', () => {
  const files = readdirSync(new URL('../profiles/', import.meta.url));
  expect(files.toSorted()).toEqual(profileNames.map((name) => `${name}.yaml`).toSorted());
});

test.for(profileNames)('%s is the same from its YAML', (name) => {
  const file = fileURLToPath(new URL(`../profiles/${name}.yaml`, import.meta.url));
  expect(loadProfile(file)).toEqual(loadProfile(name));
  expect(loadProfile(name).stated.size).toBeGreaterThan(0);
});

test('the default profile states every gap, in the order of the list', () => {
  expect([...loadProfile('default').stated]).toEqual(gaps.map(({ id }) => id));
});

test('the default profile states the defaults', () => {
  const stated = Object.entries(statedValues(loadProfile('default')));
  const guesses = gaps.filter(({ kind }) => kind !== 'operation');
  expect(Object.fromEntries(stated.filter(([id]) => !id.startsWith('operation.')))).toEqual(
    Object.fromEntries(guesses.map((gap) => [gap.id, gap.default])),
  );
});

test('the default profile states how every operation is called and where all that is read from it stands', () => {
  const stated = statedValues(loadProfile('default'));
  const operations = gaps.filter(({ kind }) => kind === 'operation');
  const incomplete = operations.filter(({ id, reads = [] }) => {
    const call = stated[id];
    if (typeof call !== 'object' || call === null) return true;
    // Its pages are numbered, so that no answer names the next one.
    return reads.some((read) => read !== 'next' && !Object.hasOwn(call, read));
  });
  expect(incomplete.map(({ id }) => id)).toEqual([]);
});

test('the profile of the documented calls withdraws every other operation', () => {
  const withdrawn = gaps.filter(({ kind }) => kind === 'operation').map(({ id }) => [id, 'not-offered']);
  expect(statedValues(loadProfile('documented-only'))).toEqual(Object.fromEntries(withdrawn));
});
