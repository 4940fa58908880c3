import { expect, test } from 'vitest';
import { loadProfile, statedValues } from '../../openapi/profile.ts';
import { readSetup, writeSetup } from './setup.ts';

const where = { place: 'here', source: 'test' };
const world = { tenants: [] };

test('a setup is read as it was written, also one of a world by name of 0.3.0', () => {
  const setup = { profile: loadProfile('nested-201-uuid'), seed: 7, clock: 'manual', world } as const;
  expect(readSetup(writeSetup(setup), where)).toEqual(setup);
  const profile = { name: 'default', values: statedValues(loadProfile('default')) };
  const old = JSON.stringify({ seed: 7, clock: 'manual', data: world, variations: [], profile });
  expect(readSetup(old, where)).toMatchObject({
    seed: 7,
    clock: 'manual',
    world,
    profile: { name: 'default' },
  });
});
