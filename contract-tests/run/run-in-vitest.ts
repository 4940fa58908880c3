// Starts Vitest on suite.vitest.ts, with a reporter of our own that collects what the checks came to.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { HarnessError } from '../core/outcomes.ts';
import type { SuiteOptions } from '../core/suite-options.ts';
import type { RunResult } from '../reports/report.ts';
import { receiveProgress, type Waiting } from './progress-messages.ts';

/** What the run tells while it lasts. */
export interface Watcher {
  /** Called with every result as it comes. */
  onResult?(entry: RunResult['results'][number]): void;
  /** Called when a wait begins. */
  onWait?(waiting: Waiting): void;
  /** Ends the run: what was done is reported, what was created is cleaned up. */
  signal?: AbortSignal;
}

/** The longest that a check may take beside its waits, in milliseconds. */
const patienceMs = 120_000;

/** Runs the suite. Throws HarnessError when it could not be run to its end. */
export async function runInVitest(options: SuiteOptions, watcher: Watcher = {}): Promise<RunResult> {
  const { startVitest } = await import('vitest/node');
  const { reporter, collected } = createCollector(watcher.onResult);
  const keepSignals = signalKeeper();
  const line = receiveProgress((waiting) => watcher.onWait?.(waiting));
  watcher.signal?.addEventListener('abort', line.interrupt);
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
      reporters: [{ onInit: keepSignals }, reporter],
      disableConsoleIntercept: true,
      testTimeout: options.maxWaitMs + patienceMs,
      hookTimeout: options.maxWaitMs + patienceMs,
      provide: { suite: options },
      experimental: { viteModuleRunner: false },
    },
    { cacheDir: join(tmpdir(), 'sitepub-vite'), logLevel: 'silent' },
  );
  await vitest.close();
  watcher.signal?.removeEventListener('abort', line.interrupt);
  line.close();
  return collected();
}

const signals = ['SIGINT', 'SIGTERM'] as const;

/** Vitest would end the process on an interruption, before anything is cleaned up or reported. */
function signalKeeper(): () => void {
  const before = signals.map((signal) => process.listeners(signal));
  return () => {
    for (const [index, signal] of signals.entries())
      for (const listener of process.listeners(signal))
        if (!before[index]?.includes(listener)) process.off(signal, listener);
  };
}

interface Collector {
  reporter: Reporter;
  collected(): RunResult;
}

function createCollector(onResult: Watcher['onResult']): Collector {
  const results: RunResult['results'] = [];
  const problems: string[] = [];
  let rest: Omit<RunResult, 'results'> | undefined;
  const reporter: Reporter = {
    onTestCaseResult: (testCase: TestCase) => {
      const { check, rest: gathered } = testCase.meta();
      rest ??= gathered;
      if (check) {
        results.push(check);
        onResult?.(check);
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
