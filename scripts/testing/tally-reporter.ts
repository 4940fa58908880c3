// Ends a test run with the line `N passed, N failed`.
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { fitsTags } from './longest-first.ts';

/** The reason of a skipped test, in its title: "… (skipped without python3)", "… (needs openssl)". A note of `skip(…)` counts too. */
const reason = /\((needs|skipped) [^)]+\)/;

export const tallyReporter: Reporter = {
  onTestRunEnd(modules, unhandledErrors) {
    const all = modules.flatMap((module) => [...module.children.allTests()]);
    const lines = tallyLines(modules, all.filter(isAskedFor), unhandledErrors.length);
    // At exit, after all other reporters.
    process.once('exit', () => console.log(lines.join('\n')));
  },
};

/** Tests that `-t` or a tier leaves out do not count. */
function isAskedFor({ fullName, tags, project }: TestCase): boolean {
  const { testNamePattern, tagsFilter = [] } = project.config;
  const isNamed = testNamePattern?.test(fullName.replaceAll(' > ', ' ')) ?? true;
  return isNamed && fitsTags(tags, tagsFilter);
}

/** A test that did not start counts as failed, like one that is skipped without a reason. */
function tallyLines(
  modules: readonly TestModule[],
  tests: readonly TestCase[],
  unhandledErrors: number,
): string[] {
  const inState = (state: string) => tests.filter((test) => test.result().state === state);
  const broken = modules.flatMap((module) => [module, ...module.children.allSuites()]).filter(isBroken);
  const notStarted = inState('pending');
  const skips = Map.groupBy(inState('skipped'), isExplained);
  const [explained, unexplained] = [skips.get(true) ?? [], skips.get(false) ?? []];
  const failed =
    inState('failed').length + broken.length + unhandledErrors + notStarted.length + unexplained.length;
  // Vitest exits with 0 if tests were skipped or did not start.
  if (failed > 0) process.exitCode ||= 1;
  const nameOf = ({ module, fullName }: TestCase) => `${module.relativeModuleId}: ${fullName}`;
  const skipped = explained.length > 0 ? `, ${explained.length} skipped` : '';
  return [
    ...notStarted.map((test) => `not started: ${nameOf(test)}`),
    ...unexplained.map((test) => `skipped without a reason: ${nameOf(test)}`),
    ...explained.map((test) => `skipped: ${nameOf(test)}`),
    `${inState('passed').length} passed, ${failed} failed${skipped}`,
  ];
}

function isExplained(test: TestCase): boolean {
  const result = test.result();
  return reason.test(test.fullName) || (result.state === 'skipped' && result.note !== undefined);
}

/** Failed outside of its tests: while loading, or in a hook. */
function isBroken(part: { errors(): unknown[] }) {
  return part.errors().length > 0;
}
