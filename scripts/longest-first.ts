// The order of test files: first the proofs that the suite accuses no lawful deployment, since a run that is cut off must have had them.
// Then the files that take longest, so that none of them is left to run alone at the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Vitest knows how long a file takes only after a run in the same checkout, and goes by its size until then. */
export const longest = [
  'contract-tests/self/verdicts/verdicts-in-real-time.test.ts',
  'contract-tests/self/population.test.ts',
  'contract-tests/self/verdicts/verdicts.test.ts',
  'scripts/prove/kill-matrix.test.ts',
  'mock/store/replicas/kills.test.ts',
  'contract-tests/self/lossy.test.ts',
  'scripts/commands/replicas.test.ts',
  'scripts/recipes.test.ts',
  'scripts/package.test.ts',
  'contract-tests/self/discover-odd.test.ts',
  'scripts/static.test.ts',
  'contract-tests/test-receiver/lawful-receivers.test.ts',
  'contract-tests/self/generated-cases.test.ts',
  'contract-tests/self/shown-failures.test.ts',
  'contract-tests/self/hostile-deployments.test.ts',
  'scripts/commands/whole-runs.test.ts',
  'contract-tests/self/discover.test.ts',
  'scripts/prove/kept-faults.test.ts',
  'mock/server/memory.test.ts',
  'contract-tests/self/learn-recordings.test.ts',
  'scripts/commands/discover-described.test.ts',
  'contract-tests/learn/acceptance.test.ts',
  'mock/store/whole-suite.test.ts',
  'mock/store/replicas/generated-calls.test.ts',
  'mock/store/replicas/rolling-restart.test.ts',
  'scripts/commands/test.test.ts',
  'scripts/cli.test.ts',
  'scripts/commands/discover.test.ts',
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
