// Orders test files, and leaves out files of other tiers.
import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Folders with whole runs and commands. They take longest, so they must not run alone at the end. */
const longest = [
  'contract-tests/self/verdicts/',
  'contract-tests/self/population.test.ts',
  'scripts/prove/',
  'contract-tests/self/last-look.test.ts',
  'contract-tests/self/lossy.test.ts',
  'mock/store/replicas/',
  'contract-tests/self/',
  'scripts/',
  'mock/store/',
  'mock/server/',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { tagsFilter = [] } = this.ctx.config;
    // Vitest knows durations only after a run in the same checkout, and uses file sizes until then.
    const sorted = await super.sort(
      files.filter(({ moduleId }) => mayBeWanted(tagsOf(moduleId), tagsFilter)),
    );
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

/** Vitest loads each file before it looks at tags. Loading files of other tiers would take a quarter longer. */
function mayBeWanted(tags: readonly string[], filters: readonly string[]): boolean {
  return tags.length === 0 || fitsTags(tags, filters);
}

function tagsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^\/\/ @module-tag (\w+)$/gm)].map(([, tag = '']) => tag);
}

/** Supports only the filters of the tiers: "ci", "!ci && !nightly". */
export function fitsTags(tags: readonly string[], filters: readonly string[]): boolean {
  const conditions = filters.flatMap((filter) => filter.split('&&')).map((part) => part.trim());
  return conditions.every((part) =>
    part.startsWith('!') ? !tags.includes(part.slice(1)) : tags.includes(part),
  );
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = longest.findIndex((folder) => moduleId.includes(`/${folder}`));
  return rank < 0 ? longest.length : rank;
}
