// @module-tag ci
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { runScript } from './type-check-blocks.ts';

test('counts tests that do not pass at once, are skipped without a reason, or do not start', async () => {
  const { failed, output } = await runTests(`
    test('runs', () => {});
    test.skip('prints (needs a printer)', () => {});
    test.skip('unexplained', () => {});
    test.todo('planned');
    let tries = 0;
    test('passes at the second try', () => { if (tries++ === 0) throw new Error(); });
    test('next', () => {});`);
  expect([failed, output.match(/^(not started|skipped.*): .*$|^\d+ passed.*/gm)]).toEqual([
    true,
    [
      'not started: a.case.ts: next',
      'skipped without a reason: a.case.ts: unexplained',
      'skipped without a reason: a.case.ts: planned',
      'skipped: a.case.ts: prints (needs a printer)',
      '1 passed, 4 failed, 1 skipped',
    ],
  ]);
});

test('does not count tests that `-t` leaves out', async () => {
  const text = `test('wanted', () => {}); test('other', () => {}); test.skip('wanted (needs x)', () => {});`;
  const run = await runTests(text, '-t', 'wanted');
  const output = expect.stringMatching(/^1 passed, 0 failed, 1 skipped$/m);
  expect(run).toMatchObject({ failed: false, output });
});

test('does not count tests of other tiers', async () => {
  const text = `test('a', () => {}); test('b', { tags: ['ci'] }, () => {}); test.skip('c', () => {});`;
  const fast = await runTests(text, '--tagsFilter', '!ci && !nightly');
  expect(fast).toMatchObject({ failed: true, output: expect.stringMatching(/^1 passed, 1 failed$/m) });
  const ci = await runTests(text, '--tagsFilter', 'ci');
  expect(ci).toMatchObject({ failed: false, output: expect.stringMatching(/^1 passed, 0 failed$/m) });
});

function runTests(text: string, ...args: readonly string[]) {
  // Vitest is found there, and no other test looks there.
  const folder = mkdtempSync(fileURLToPath(new URL('../../node_modules/tally-', import.meta.url)));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const config = fileURLToPath(new URL('../../vitest.config.ts', import.meta.url));
  writeFileSync(join(folder, 'a.case.ts'), `import { test } from 'vitest';\n${text}\n`);
  writeFileSync(
    join(folder, 'vitest.config.ts'),
    `import config from ${JSON.stringify(config)};
export default { test: { ...config.test, include: ['*.case.ts'], exclude: [], bail: 1 } };\n`,
  );
  return runScript('node_modules/vitest/vitest.mjs', ['run', '--root', folder, ...args], { CI: 'true' });
}
