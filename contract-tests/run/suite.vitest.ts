// The file that Vitest runs: one test for each check. The result gets to the reporter in the test's meta.
import { flushCompileCache } from 'node:module';
import { inject, test } from 'vitest';
import type { SuiteOptions } from '../core/suite-options.ts';
import type { RunResult } from '../reports/report.ts';
import { openProgressChannel } from './progress-messages.ts';
import { startRun } from './run-suite.ts';
import { selectChecks } from './select-checks.ts';

declare module 'vitest' {
  interface ProvidedContext {
    suite: SuiteOptions;
  }
  interface TaskMeta {
    results?: RunResult['results'];
    rest?: Omit<RunResult, 'results'>;
  }
}

const options = inject('suite');
const { channel, signal } = openProgressChannel();
const run = await startRun(options, {
  signal,
  onWait: (until, what) => channel.postMessage({ waiting: { until, what } }),
});

const selected = selectChecks(options);
channel.postMessage({ selected: selected.length });
if (!run.abort) channel.postMessage('begun');

test('begin slow work', () => run.prepare(selected));

for (const check of selected) {
  test(check.id, async ({ task, skip }) => {
    const result = await run.check(check);
    task.meta.results = result ? [{ requirement: check.requirement, result }] : [];
    if (!result) return;
    if (result.outcome === 'not-verified') skip(result.reason ?? '');
    if (result.outcome !== 'passed') throw new Error(result.reason ?? result.outcome);
  });
}

test('look again', async ({ task }) => {
  task.meta.results = await run.lookAgain();
});

test('clean up', async ({ task }) => {
  task.meta.rest = await run.finish();
  flushCompileCache();
  channel.close();
});
