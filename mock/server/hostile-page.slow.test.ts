import { describe, expect, test } from 'vitest';
import { chromium, noChromium, pageAttacks, tryPage } from '../testing/hostile-page.ts';

test('says that these tests need Chromium', ({ skip }) => {
  skip(chromium === undefined, noChromium);
});

describe.skipIf(chromium === undefined)('nothing is obeyed, and nothing read', () => {
  test.each(pageAttacks)('with --cors $cors, by a page $kind', { timeout: 180_000 }, async (attack) => {
    expect(await tryPage(attack)).toEqual([]);
  });
});
