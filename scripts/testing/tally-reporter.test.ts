// @module-tag ci
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { runScript } from './type-check-blocks.ts';

test.for([
  ['that runs', `test('a', () => {});`, false, '1 passed, 0 failed'],
  [
    'that is skipped with a reason',
    `test.skip('a (needs a printer)', () => {});`,
    false,
    '0 passed, 0 failed, 1 skipped',
  ],
  ['that is skipped without a reason', `test.skip('a', () => {});`, true, '0 passed, 1 failed'],
  ['that is only planned', `test.todo('a');`, true, '0 passed, 1 failed'],
  [
    'that is not started after a failure',
    `test('a', () => { throw new Error(); }); test('b', () => {});`,
    true,
    '0 passed, 2 failed',
  ],
  [
    'that passes only at the second try',
    `let tries = 0; test('a', () => { if (tries++ === 0) throw new Error(); });`,
    true,
    '0 passed, 1 failed',
  ],
] as const)('a test %s', async ([, text, failed, says]) => {
  const run = await runTests(text);
  expect(run).toMatchObject({ failed, output: expect.stringContaining(says) });
});

test('does not count tests that `-t` leaves out', async () => {
  const run = await runTests(`test('wanted', () => {}); test('other', () => {});`, '-t', 'wanted');
  expect(run).toMatchObject({ failed: false, output: expect.stringMatching(/^1 passed, 0 failed$/m) });
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
