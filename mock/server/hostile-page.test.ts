// @module-tag nightly
import { describe, expect, test } from 'vitest';
import { pageAttacks, tryPage } from './testing/hostile-page.ts';

describe('nothing is obeyed, and nothing read', () => {
  test.each(pageAttacks)('with --cors $cors, by a page $kind', { timeout: 180_000 }, async (attack) => {
    expect(await tryPage(attack)).toEqual([]);
  });
});
