import { expect, test } from 'vitest';
import { nearMissTokens, swapCase } from './near-misses.ts';

test.for([
  ['st_0a1b2c3d4e5f', ['st_0a1b2c3d', 'st_0a1b2c3d4e5f0a1b', 'st_0a1b2c3d0a0a', 'st_0a1b2c0d4e5f']],
  ['sp_aB3dE6gH', ['sp_aB3d', 'sp_aB3dE6gHaB3d', 'sp_aB3dA0aA', 'sp_aB3dA6gH', 'sp_Ab3De6Gh']],
  ['AbCd.Ef-h', ['AbCd.', 'AbCd.Ef-hAbCd', 'AbCd.Aa-a', 'AbCd.Af-h', 'aBcD.eF-H']],
] as const)('%s has its near misses', ([token, want]) => {
  expect(nearMissTokens(token).map(({ text }) => text)).toEqual(want);
});

test('makes no near miss that is empty or equals the token', () => {
  for (const token of ['abc', '----', 'st_x', '令牌令牌令牌'])
    expect(nearMissTokens(token).filter(({ text }) => text === token || text === '')).toEqual([]);
});

test('swaps the case of each letter', () => {
  expect(swapCase('Pa-ß 1É')).toBe('pA-SS 1é');
});
