// A run whose time is over: nothing is begun, and the end says so.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { runScript } from './run-script.ts';

test.for([
  ['is over', -1_000, 'no time was left: late.slow.test.ts: 2 of its tests\n0 passed, 0 failed, 2 skipped'],
  ['is left', 60_000, '2 passed, 0 failed'],
] as const)('where time %s', async ([, ms, says]) => {
  // Where vitest is found, and no other test looks.
  const folder = mkdtempSync(fileURLToPath(new URL('../../node_modules/late-', import.meta.url)));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const setup = fileURLToPath(new URL('within-time.ts', import.meta.url));
  const tally = fileURLToPath(new URL('../tally-reporter.ts', import.meta.url));
  writeFileSync(
    join(folder, 'late.slow.test.ts'),
    `import { test } from 'vitest';\ntest('a', () => {});\ntest.concurrent('b', () => {});\n`,
  );
  writeFileSync(
    join(folder, 'vitest.config.ts'),
    `import { tallyReporter } from ${JSON.stringify(tally)};
export default { test: { include: ['*.slow.test.ts'], exclude: [], setupFiles: [${JSON.stringify(setup)}], reporters: [tallyReporter] } };\n`,
  );
  const { output } = await runScript('node_modules/vitest/vitest.mjs', ['run', '--root', folder], {
    SITEPUB_TESTS_BEGIN_UNTIL: String(Date.now() + ms),
  });
  expect(output).toContain(says);
});
