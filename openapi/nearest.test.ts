import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

const known = ['login.token', 'refresh.token', 'ai'];

test.for([
  ['login.tokn', 'login.token'],
  ['refresh-token', 'refresh.token'],
  ['a', 'ai'],
  ['LOGIN.TOKEN', 'login.token'],
  ['something.else.entirely', undefined],
] as const)('the word nearest to %s is %s', ([word, want]) => {
  expect(nearest(word, known)).toBe(want);
});

test('among no words none is near', () => {
  expect(nearest('login', [])).toBeUndefined();
});
