// The order of test files: first the proofs that the suite accuses no lawful deployment, since a run that is cut off must have had them.
// Then the files that take longest, so that none of them is left to run alone at the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Vitest knows how long a file takes only after a run in the same checkout, and goes by its size until then. */
export const longest = [
  'contract-tests/self/verdicts/verdicts-in-real-time.slow.test.ts',
  'contract-tests/self/population.slow.test.ts',
  'contract-tests/self/verdicts/verdicts.slow.test.ts',
  'scripts/prove/kill-cover.slow.test.ts',
  'scripts/prove/kill-matrix.slow.test.ts',
  'mock/store/replicas/kills.slow.test.ts',
  'contract-tests/self/lossy.slow.test.ts',
  'scripts/commands/replicas.slow.test.ts',
  'scripts/recipes.slow.test.ts',
  'scripts/package.slow.test.ts',
  'contract-tests/self/discover-odd.slow.test.ts',
  'scripts/static.slow.test.ts',
  'contract-tests/test-receiver/lawful-receivers.slow.test.ts',
  'contract-tests/self/generated-cases.slow.test.ts',
  'contract-tests/self/shown-failures.slow.test.ts',
  'contract-tests/self/hostile-deployments.slow.test.ts',
  'scripts/commands/whole-runs.slow.test.ts',
  'contract-tests/self/discover.slow.test.ts',
  'scripts/prove/kept-faults.slow.test.ts',
  'mock/server/memory.slow.test.ts',
  'contract-tests/self/learn-recordings.slow.test.ts',
  'scripts/commands/discover-described.slow.test.ts',
  'contract-tests/learn/acceptance.slow.test.ts',
  'mock/store/whole-suite.slow.test.ts',
  'mock/store/replicas/generated-calls.slow.test.ts',
  'mock/store/replicas/rolling-restart.slow.test.ts',
  'scripts/static.test.ts',
  'scripts/prove/kill-matrix.test.ts',
  'scripts/commands/test.test.ts',
  'scripts/cli.test.ts',
  'scripts/commands/discover.test.ts',
  'contract-tests/self/discover.test.ts',
  'contract-tests/self/conforming.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = longest.findIndex((file) => moduleId.endsWith(file));
  return rank < 0 ? longest.length : rank;
}
