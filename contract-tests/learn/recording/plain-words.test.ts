import { expect, test } from 'vitest';
import { looksRandom, singular } from './plain-words.ts';

test.for<[string, boolean]>([
  ['publish-failing', false],
  ['getSiteListV2', false],
  ['sha256', false],
  ['utf8mb4', false],
  ['rhythm', false],
  ['a1b2c3', true],
  ['deadbeef12345', true],
  ['xKcdQwErTy', true],
  ['bcdfghjklm', true],
])('%s looks like a token: %s', ([text, want]) => {
  expect(looksRandom(text)).toBe(want);
});

test.for([
  ['sites', 'site'],
  ['categories', 'category'],
  ['publishes', 'publish'],
  ['address', 'address'],
  ['status', 'status'],
  ['media', 'media'],
] as const)('the singular of %s is %s', ([word, want]) => {
  expect(singular(word)).toBe(want);
});
