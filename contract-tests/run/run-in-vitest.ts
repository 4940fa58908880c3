// Starts Vitest on suite.vitest.ts, with a reporter that collects the results of the checks.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { HarnessError } from '../core/outcomes.ts';
import type { SuiteOptions } from '../core/suite-options.ts';
import { ownFolder } from '../deployment/own-folder.ts';
import type { RunResult } from '../reports/report.ts';
import { type ProgressListener, receiveProgress } from './progress-messages.ts';

/** Callbacks during a run. */
export interface Watcher extends ProgressListener {
  /** Called with every result. */
  onResult?(entry: RunResult['results'][number]): void;
  /** Ends the run early, with clean-up and report. */
  signal?: AbortSignal;
}

/** Runs the suite. Throws HarnessError when the run could not finish. */
export async function runInVitest(options: SuiteOptions, watcher: Watcher = {}): Promise<RunResult> {
  const { startVitest } = await import('vitest/node');
  const { reporter, collected } = createCollector(watcher.onResult);
  const keepSignals = signalKeeper();
  const progress = receiveProgress(watcher);
  watcher.signal?.addEventListener('abort', progress.interrupt);
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
      // Each check has a time limit of the suite's own, which ends only that check.
      testTimeout: 0,
      hookTimeout: 0,
      provide: { suite: options },
      experimental: { viteModuleRunner: false },
    },
    { cacheDir: join(options.folder ?? ownFolder().path, 'vite'), logLevel: 'silent' },
  );
  await vitest.close();
  watcher.signal?.removeEventListener('abort', progress.interrupt);
  progress.close();
  return collected();
}

const signals = ['SIGINT', 'SIGTERM'] as const;

/** Removes Vitest's signal handlers, which would end the process before clean-up and report. */
function signalKeeper(): () => void {
  const before = signals.map((signal) => process.listeners(signal));
  return () => {
    for (const [index, signal] of signals.entries())
      for (const listener of process.listeners(signal))
        if (!before[index]?.includes(listener)) process.off(signal, listener);
  };
}

/** What a run that broke off has gathered. */
const nothing = {
  checked: [],
  gaps: [],
  remarks: [],
  coverage: [],
  leftovers: [],
  requests: 0,
  notes: [],
} satisfies Omit<RunResult, 'results' | 'abort'>;

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
      const { results: found, rest: gathered } = testCase.meta();
      rest ??= gathered;
      if (found) {
        results.push(...found);
        for (const entry of found) onResult?.(entry);
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
  const collected = (): RunResult => {
    if (rest && problems.length === 0) return { results, ...rest };
    const reason = `the suite did not finish: ${problems[0] ?? 'no results came back'}`;
    if (results.length === 0) throw new HarnessError(reason);
    return { results, ...nothing, ...rest, abort: { kind: 'suite-error', reason } };
  };
  return { reporter, collected };
}
