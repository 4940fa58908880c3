// Closes a test run with the line `N passed, N failed`.
import type { Reporter, TestModule } from 'vitest/node';

/** What scripts/testing/within-time.ts notes of a test. */
export const lateNote = 'not begun: the time for tests is over';

export const tallyReporter: Reporter = {
  onTestRunEnd(modules, unhandledErrors) {
    const lines = [...secondTries(modules), ...leftOut(modules), tallyLine(modules, unhandledErrors.length)];
    // At the exit, so that no other reporter prints after it.
    process.once('exit', () => console.log(lines.join('\n')));
  },
};

/** Tests that did not pass at once, by name: what fails now and then is a mistake as well. */
function secondTries(modules: readonly TestModule[]): string[] {
  const tests = modules.flatMap((module) => [...module.children.allTests('passed')]);
  const late = tests.filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0);
  return late.map(
    ({ fullName, module }) => `passed at a second try: ${module.relativeModuleId}: ${fullName}`,
  );
}

/** How many tests of which files were not begun, since there was no more time. */
function leftOut(modules: readonly TestModule[]): string[] {
  return modules.flatMap((module) => {
    const tests = [...module.children.allTests('skipped')];
    const late = tests.filter((test) => {
      const result = test.result();
      return result.state === 'skipped' && result.note === lateNote;
    }).length;
    return late > 0 ? [`no time was left: ${module.relativeModuleId}: ${late} of its tests`] : [];
  });
}

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
