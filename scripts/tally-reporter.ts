// Closes a test run with the line `N passed, N failed`.
import type { Reporter, TestModule } from 'vitest/node';

export const tallyReporter: Reporter = {
  onTestRunEnd(modules, unhandledErrors) {
    const line = tallyLine(modules, unhandledErrors.length);
    // At the exit, so that no other reporter prints after it.
    process.once('exit', () => console.log(line));
  },
};

function tallyLine(modules: readonly TestModule[], unhandledErrors: number) {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const count = (state: string) => tests.filter((test) => test.result().state === state).length;
  const broken = modules.flatMap((module) => [module, ...module.children.allSuites()]).filter(isBroken);
  const failed = count('failed') + broken.length + unhandledErrors;
  const skipped = count('skipped') > 0 ? `, ${count('skipped')} skipped` : '';
  return `${count('passed')} passed, ${failed} failed${skipped}`;
}

/** Broken outside of its tests: a file that cannot be loaded, a failed hook. */
function isBroken(part: { errors(): unknown[] }) {
  return part.errors().length > 0;
}
