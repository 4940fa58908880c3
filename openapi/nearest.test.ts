import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

const known = ['login.token', 'login.status', 'token.lifetime', 'refresh.token'];

test.for([
  ['LOGIN.STATUS', 'login.status'],
  ['login.tokn', 'login.token'],
  ['freshtoken', 'refresh.token'],
  ['x', undefined],
  ['token'.repeat(1_000), undefined],
])('the nearest name to %s is %s', ([word, want]) => {
  expect(nearest(String(word), known)).toBe(want);
});
