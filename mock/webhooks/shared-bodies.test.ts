import { expect, test } from 'vitest';
import { createSharedBodies } from './shared-bodies.ts';

test('a long text has its bytes once while anybody sends it', () => {
  const { take, release } = createSharedBodies();
  const text = '漢'.repeat(20_000);
  const first = take(text);
  expect(take(text)).toBe(first);
  expect(first.toString()).toBe(text);
  release(text);
  expect(take(text)).toBe(first);
  release(text);
  release(text);
  expect(take(text)).not.toBe(first);
});
