// Starts Vitest on suite.vitest.ts, with a reporter that collects the results of the checks.
import { existsSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { version } from '../../openapi/version.ts';
import { endingMs, onAbort, unlessAborted } from '../core/ending.ts';
import { keepThreadsSmall } from '../core/memory.ts';
import { interruption } from '../core/outcomes.ts';
import type { SuiteOptions } from '../core/suite-options.ts';
import { createResources } from '../deployment/created-resources.ts';
import { ownFolder } from '../deployment/own-folder.ts';
import { secretsOf } from '../redaction/redact.ts';
import { harOf } from '../reports/har.ts';
import type { RunResult } from '../reports/report.ts';
import { toLeftover } from './gather-result.ts';
import { type ProgressListener, receiveProgress } from './progress-messages.ts';

/** Callbacks during a run. */
export interface Watcher extends ProgressListener {
  /** Called with every result. */
  onResult?(entry: RunResult['results'][number]): void;
  /** Ends the run early, with clean-up and report. */
  signal?: AbortSignal;
}

/** Runs the suite. What it has gathered until then is the result where it breaks off, and where it does not end after an interruption. */
export async function runInVitest(options: SuiteOptions, watcher: Watcher = {}): Promise<RunResult> {
  const { reporter, collected } = createCollector(options, watcher.onResult);
  const givenUp = new AbortController();
  const stopListening =
    watcher.signal && onAbort(watcher.signal, () => setTimeout(() => givenUp.abort(), endingMs.thread));
  const run = startInVitest(options, watcher, reporter);
  await unlessAborted(givenUp.signal, run);
  stopListening?.();
  const result = collected();
  return givenUp.signal.aborted
    ? { ...result, abort: interruption, leftovers: await leftIn(options) }
    : result;
}

async function startInVitest(options: SuiteOptions, watcher: Watcher, reporter: Reporter): Promise<void> {
  const { startVitest } = await import('vitest/node');
  keepThreadsSmall();
  shareCompiledCode();
  const letSignals = keepSignals();
  const progress = receiveProgress(watcher);
  const stopListening = watcher.signal && onAbort(watcher.signal, progress.interrupt);
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
      // Each check has a time limit of the suite's own, which ends only that check.
      testTimeout: 0,
      hookTimeout: 0,
      provide: { suite: options },
      experimental: { viteModuleRunner: false },
    },
    { cacheDir: join(options.folder ?? ownFolder().path, 'vite'), logLevel: 'silent' },
  );
  letSignals();
  await vitest.close();
  stopListening?.();
  progress.close();
}

/** Threads look for compiled code where the environment says; without it they would strip the types of the suite anew. */
function shareCompiledCode(): void {
  const folder = getCompileCacheDir();
  if (folder !== undefined) process.env.NODE_COMPILE_CACHE ??= dirname(folder);
}

const signals = ['SIGINT', 'SIGTERM'] as const;

/** Removes Vitest's signal handlers as soon as it adds them: they would end the process before clean-up and report. Call the result in the end. */
function keepSignals(): () => void {
  const remove = (name: string | symbol, listener: (...args: unknown[]) => void) => {
    if (signals.some((signal) => signal === name)) queueMicrotask(() => process.off(name, listener));
  };
  process.on('newListener', remove);
  return () => process.off('newListener', remove);
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

/** What the journal lists, for the thread that knows it better has not ended. */
async function leftIn({ journal, ...secrets }: SuiteOptions): Promise<RunResult['leftovers']> {
  if (journal === undefined || !existsSync(journal)) return [];
  const { readJournal } = await import('./clean-up-journal.ts');
  const { redact } = secretsOf(secrets);
  return createResources(readJournal(journal))
    .remaining()
    .map((resource) => toLeftover(resource, redact));
}

interface Collector {
  reporter: Reporter;
  collected(): RunResult;
}

/** `collected` gives what has come so far, also where nothing has. */
export function createCollector(
  { keepsExchanges }: Pick<SuiteOptions, 'keepsExchanges'>,
  onResult?: Watcher['onResult'],
): Collector {
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
    const reason = `the suite itself failed: it did not finish: ${problems[0] ?? 'no results came back'}`;
    // Who asked for an archive gets an empty one.
    const har = keepsExchanges && { har: harOf([], { version, redact: String }) };
    return { results, ...nothing, ...har, ...rest, abort: { kind: 'suite-error', reason } };
  };
  return { reporter, collected };
}
