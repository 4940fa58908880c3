// A test runner for Stryker, whose one test is the contract suite against the mutated mock. Vitest would load the mock, the suite and
// itself anew for each mutant, and take five times as long.
import { readFileSync, writeFileSync } from 'node:fs';
import { rangeOf } from './draw.ts';
import { countedFromOne, type Location, warnedOnly } from './mutant.ts';
import { createSuiteOnMock, type SuiteVerdict } from './suite-verdict.ts';

/** The global that Stryker's generated code reads and writes. */
interface Switchboard {
  activeMutant?: string | undefined;
  /** The test whose coverage is recorded; without it, that of loading the modules. */
  currentTestId?: string | undefined;
  mutantCoverage?: unknown;
  hitCount?: number;
  hitLimit?: number | undefined;
}

interface MutantRun {
  /** In its location, lines and columns count from 0. */
  activeMutant: { id: string; location: Location };
  hitLimit?: number;
}

const id = 'the contract suite';

/** The warnings about the unchanged mock, for the other processes, which work in the same folder. */
const baselineFile = 'baseline-warnings.json';

export function createRunner({ mutate }: { mutate: readonly string[] }) {
  const drawn = new Set(mutate.map((range) => range.slice(range.indexOf(':'))));
  const suite = createSuiteOnMock();
  const switchboard: Switchboard = {};
  Object.assign(globalThis, { __stryker__: switchboard });
  return {
    // Modules are loaded once per process; Stryker starts another process for mutants in code that runs then.
    capabilities: () => ({ reloadEnvironment: false }),
    dryRun: async () => {
      await suite.load();
      switchboard.currentTestId = id;
      // The first run is slow, and would make every timeout long.
      await suite.run();
      const startedAt = performance.now();
      const { fault: failureMessage, warnings } = await suite.run();
      const test = { id, name: id, timeSpentMs: performance.now() - startedAt, failureMessage };
      writeFileSync(baselineFile, JSON.stringify(warnings));
      switchboard.currentTestId = undefined;
      const tests = [{ ...test, status: failureMessage === undefined ? 0 : 1 }];
      return { status: 'complete', tests, mutantCoverage: switchboard.mutantCoverage };
    },
    mutantRun: async ({ activeMutant, hitLimit }: MutantRun) => {
      // A mutant between two drawn places, one within the other, is not in the sample.
      if (!drawn.has(rangeOf('', countedFromOne(activeMutant.location))))
        return { status: 'survived', nrOfTests: 0 };
      Object.assign(switchboard, { activeMutant: activeMutant.id, hitLimit, hitCount: 0 });
      const failureMessage = failureOf(await suite.run());
      switchboard.activeMutant = undefined;
      if (hitLimit !== undefined && (switchboard.hitCount ?? 0) > hitLimit)
        return { status: 'timeout', reason: 'it runs in an endless loop' };
      return failureMessage === undefined
        ? { status: 'survived', nrOfTests: 1 }
        : { status: 'killed', killedBy: [id], failureMessage, nrOfTests: 1 };
    },
  };
}

function failureOf({ fault, warnings }: SuiteVerdict): string | undefined {
  if (fault !== undefined) return fault;
  const baseline = JSON.parse(readFileSync(baselineFile, 'utf8')) as string[];
  const more = warnings.filter((warning) => !baseline.includes(warning));
  return more.length > 0 ? warnedOnly + more.join(', ') : undefined;
}

createRunner.inject = ['options'] as const;

export const strykerPlugins = [{ kind: 'TestRunner', name: 'suite', factory: createRunner }];
