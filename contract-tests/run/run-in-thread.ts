// Runs the suite in a thread, so that Ctrl-C works and there is a report even if the thread dies.
import { existsSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { dirname, extname } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { version } from '../../openapi/version.ts';
import { endingMs, onAbort, unlessAborted } from '../core/ending.ts';
import { type Abort, interruption, LeaveBehindNeeded } from '../core/outcomes.ts';
import type { SuiteOptions } from '../core/suite-options.ts';
import { createResources } from '../deployment/created-resources.ts';
import { secretsOf } from '../redaction/redact.ts';
import { harOf } from '../reports/har.ts';
import type { RunResult } from '../reports/report.ts';
import { toLeftover } from './gather-result.ts';
import type { Watcher } from './run-suite.ts';

/** The messages of the thread. `end` is the last one; it is undefined if the run failed. */
export type ThreadMessage =
  | { selected: number }
  | { begun: string | undefined }
  | { refused: string }
  | { result: RunResult['results'][number] }
  | { waiting: { until: number; what: string } }
  | { problem: string }
  | { end: RunResult | undefined };

const usualScript = new URL(`./suite-thread${extname(import.meta.url)}`, import.meta.url);

/** Runs the suite. If the thread dies or ignores an interruption, returns the results so far. Throws LeaveBehindNeeded. */
export async function runInThread(
  options: SuiteOptions,
  { signal, ...watcher }: Watcher = {},
  script = usualScript,
): Promise<RunResult> {
  // With the default of 1 MiB, garbage collection takes a seventh of a short run.
  setFlagsFromString('--min-semi-space-size=16');
  const thread = new Worker(script, { workerData: options, env: withCompiledCode() });
  const results: RunResult['results'] = [];
  const problems: string[] = [];
  const { promise: ended, resolve: end, reject: refuse } = Promise.withResolvers<RunResult | undefined>();
  thread.on('message', (message: ThreadMessage) => {
    if ('end' in message) end(message.end);
    else if ('problem' in message) problems.push(message.problem);
    else if ('result' in message) {
      results.push(message.result);
      watcher.onResult?.(message.result);
    } else if ('selected' in message) watcher.onSelected?.(message.selected);
    else if ('waiting' in message) watcher.onWait?.(message.waiting.until, message.waiting.what);
    else if ('refused' in message) refuse(new LeaveBehindNeeded(message.refused));
    else watcher.onBegun?.(message.begun);
  });
  thread.on('error', (error) => problems.push(error instanceof Error ? error.message : String(error)));
  thread.on('exit', () => end(undefined));
  const giveUp = new AbortController();
  const stopListening =
    signal &&
    onAbort(signal, () => {
      thread.postMessage('interrupt');
      setTimeout(() => giveUp.abort(), endingMs.thread).unref();
    });
  const result = await unlessAborted(giveUp.signal, ended).finally(() => {
    stopListening?.();
    void thread.terminate();
  });
  if (result && problems.length === 0) return result;
  const abort = giveUp.signal.aborted ? interruption : suiteFailure(problems[0], options);
  return { ...(result ?? { results, ...(await restOfFailed(options)) }), abort };
}

/** Threads find the compile cache by this variable. Without it they would strip the types of the suite again. */
function withCompiledCode(): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir();
  return folder === undefined ? process.env : { NODE_COMPILE_CACHE: dirname(folder), ...process.env };
}

function suiteFailure(problem = 'the thread returned no results', secrets: SuiteOptions): Abort {
  const reason = `error in the suite: the run did not finish: ${secretsOf(secrets).redact(problem)}`;
  return { kind: 'suite-error', reason };
}

/** The result, without checks, of a run whose thread did not report it. */
async function restOfFailed(options: SuiteOptions): Promise<Omit<RunResult, 'results' | 'abort'>> {
  return {
    ...{ checked: [], gaps: [], remarks: [], coverage: [], requests: 0, notes: [] },
    leftovers: await leftIn(options),
    ...(options.recordsExchanges && { har: harOf([], { version, redact: String }) }),
  };
}

/** The leftovers by the journal, because the thread did not report them. */
async function leftIn({ journal, ...secrets }: SuiteOptions): Promise<RunResult['leftovers']> {
  if (journal === undefined || !existsSync(journal)) return [];
  const { readJournal } = await import('./clean-up-journal.ts');
  const { redact } = secretsOf(secrets);
  return createResources(readJournal(journal))
    .remaining()
    .map((resource) => toLeftover(resource, redact));
}
