// Starts Vitest on suite.vitest.ts, with a reporter of our own that collects what the checks came to.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import type { SuiteOptions } from './options.ts';
import { HarnessError } from './outcomes.ts';
import type { RunResult } from './report.ts';

/** Called with every result as it comes. */
export type OnResult = (entry: RunResult['results'][number]) => void;

/** The longest that a check may take beside its waits, in milliseconds. */
const patienceMs = 120_000;

/** Runs the suite. Throws HarnessError when it could not be run to its end. */
export async function runInVitest(options: SuiteOptions, onResult: OnResult = () => {}): Promise<RunResult> {
  const { startVitest } = await import('vitest/node');
  const { reporter, collected } = createCollector(onResult);
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const vitest = await startVitest(
    'test',
    [],
    {
      root: folder,
      config: false,
      include: ['suite.vitest.{ts,js}'],
      exclude: [],
      watch: false,
      pool: 'threads',
      reporters: [reporter],
      disableConsoleIntercept: true,
      testTimeout: options.maxWaitMs + patienceMs,
      hookTimeout: options.maxWaitMs + patienceMs,
      provide: { suite: options },
      experimental: { viteModuleRunner: false },
    },
    { cacheDir: join(tmpdir(), 'sitepub-vite'), logLevel: 'silent' },
  );
  await vitest.close();
  return collected();
}

interface Collector {
  reporter: Reporter;
  collected(): RunResult;
}

function createCollector(onResult: OnResult): Collector {
  const results: RunResult['results'] = [];
  const problems: string[] = [];
  let rest: Omit<RunResult, 'results'> | undefined;
  const reporter: Reporter = {
    onTestCaseResult: (testCase: TestCase) => {
      const { check, rest: gathered } = testCase.meta();
      rest ??= gathered;
      if (check) {
        results.push(check);
        onResult(check);
      } else if (!gathered)
        problems.push(
          ...(testCase.result().errors ?? []).map(({ message }) => `${testCase.name}: ${message}`),
        );
    },
    onTestRunEnd: (modules: readonly TestModule[], errors) => {
      problems.push(...modules.flatMap((module) => module.errors().map(({ message }) => message)));
      problems.push(...errors.map(({ message }) => message));
    },
  };
  const collected = () => {
    if (rest && problems.length === 0) return { results, ...rest };
    throw new HarnessError(`the suite did not run to its end: ${problems[0] ?? 'no results came back'}`);
  };
  return { reporter, collected };
}
