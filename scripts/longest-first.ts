// The order of test files: first the proofs that the suite accuses no lawful deployment, since a run that is cut off must have had them.
// Then the files that take longest, so that none of them is left to run alone at the end.
import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Vitest knows how long a file takes only after a run in the same checkout, and goes by its size until then. */
export const longest = [
  'contract-tests/self/verdicts/verdicts-in-real-time.test.ts',
  'contract-tests/self/population.test.ts',
  'contract-tests/self/verdicts/verdicts.test.ts',
  'scripts/prove/kill-matrix.test.ts',
  'contract-tests/self/last-look.test.ts',
  'contract-tests/self/try-operations.test.ts',
  'contract-tests/self/try-leftovers.test.ts',
  'contract-tests/self/unparsed-secrets.test.ts',
  'mock/store/replicas/kills.test.ts',
  'contract-tests/self/lossy.test.ts',
  'scripts/commands/replicas.test.ts',
  'scripts/recipes.test.ts',
  'scripts/package.test.ts',
  'contract-tests/self/discover-odd.test.ts',
  'contract-tests/self/others-untouched.test.ts',
  'scripts/mcp/mcp-runs.test.ts',
  'contract-tests/self/prism-referee.test.ts',
  'scripts/commands/left-behind.test.ts',
  'scripts/commands/pauses.test.ts',
  'mock/server/drawn-requests.test.ts',
  'scripts/commands/behind-gateway.test.ts',
  'scripts/docs-pages.test.ts',
  'scripts/static.test.ts',
  'contract-tests/test-receiver/receivers.test.ts',
  'contract-tests/self/hostile-deployments.test.ts',
  'scripts/commands/whole-runs.test.ts',
  'contract-tests/self/discover.test.ts',
  'scripts/prove/kept-faults.test.ts',
  'mock/server/memory.test.ts',
  'mock/store/whole-suite.test.ts',
  'mock/store/replicas/generated-calls.test.ts',
  'mock/store/replicas/rolling-restart.test.ts',
  'scripts/cli.test.ts',
  'scripts/commands/discover.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { tagsFilter = [] } = this.ctx.config;
    const sorted = await super.sort(
      files.filter(({ moduleId }) => mayBeWanted(tagsOf(moduleId), tagsFilter)),
    );
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

/** Vitest loads each file before it looks at tags; with those of other tiers a run takes a quarter longer. */
function mayBeWanted(tags: readonly string[], filters: readonly string[]): boolean {
  return tags.length === 0 || fitsTags(tags, filters);
}

/** The tags of a whole file. */
function tagsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^\/\/ @module-tag (\w+)$/gm)].map(([, tag = '']) => tag);
}

/** Whether a test with such tags is asked for. The tiers use nothing else of the syntax of filters: "ci", "!ci && !nightly". */
export function fitsTags(tags: readonly string[], filters: readonly string[]): boolean {
  const conditions = filters.flatMap((filter) => filter.split('&&')).map((part) => part.trim());
  return conditions.every((part) =>
    part.startsWith('!') ? !tags.includes(part.slice(1)) : tags.includes(part),
  );
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = longest.findIndex((file) => moduleId.endsWith(file));
  return rank < 0 ? longest.length : rank;
}
