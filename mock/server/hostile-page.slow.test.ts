import { describe, expect, test } from 'vitest';
import { chromium, pageAttacks, tryPage } from '../testing/hostile-page.ts';

describe.skipIf(chromium === undefined)('nothing is obeyed, and nothing read (needs Chromium)', () => {
  test.each(pageAttacks)('with --cors $cors, by a page $kind', { timeout: 180_000 }, async (attack) => {
    expect(await tryPage(attack)).toEqual([]);
  });
});
