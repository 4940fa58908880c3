// A process of its own for each run: what it takes of memory goes with it, and its environment is that of the run alone.

import { keepProcessSmall } from '../../contract-tests/core/memory.ts';
import { LeaveNeeded } from '../../contract-tests/core/outcomes.ts';
import type { SuiteOptions } from '../../contract-tests/core/suite-options.ts';
import type { RunResult } from '../../contract-tests/reports/report.ts';
import { ProfileError } from '../../openapi/profile.ts';
import { makeReport } from '../commands/make-report.ts';
import { readFlags } from '../options/flags.ts';
import { readTestOptions, testFlags } from '../options/test-options.ts';
import { UsageError } from '../options/usage-error.ts';
import { guardOutput } from '../screen/guard-output.ts';
import { interruptMessage, type RunAnswer, type RunMessage, type RunOrder } from './run-order.ts';

const interruption = new AbortController();
const interrupt = () => interruption.abort();
guardOutput();
keepProcessSmall();
// The server ends it, also when it is killed itself. A terminal sends Ctrl-C to both.
process.on('disconnect', interrupt).on('SIGINT', interrupt).on('SIGTERM', interrupt);
process.on('message', (message) => {
  if (message === interruptMessage) interrupt();
  else void answer(message as RunOrder);
});

async function answer(order: RunOrder): Promise<void> {
  await send({ answer: await makeRun(order) });
  // What an interruption has abandoned must not hold the process.
  process.exit();
}

async function makeRun(order: RunOrder): Promise<RunAnswer> {
  try {
    const options = await readTestOptions(readFlags(order.args, testFlags));
    return order.isDry ? await plan(options) : await run(options, order.mayLeaveBehind);
  } catch (error) {
    if ([UsageError, ProfileError, LeaveNeeded].some((kind) => error instanceof kind))
      return { refused: (error as Error).message };
    const message = error instanceof Error ? error.message : String(error);
    return { refused: `the suite itself failed: ${message}` };
  }
}

async function plan(options: SuiteOptions): Promise<RunAnswer> {
  const { selectChecks } = await import('../../contract-tests/run/select-checks.ts');
  const { dryRunOf } = await import('../../contract-tests/run/dry-run.ts');
  return { plan: dryRunOf(options, selectChecks(options)) };
}

async function run(options: SuiteOptions, mayLeaveBehind: boolean): Promise<RunAnswer> {
  const watcher = {
    signal: interruption.signal,
    onSelected: (selected: number) => void send({ selected }),
    onResult: ({ result }: RunResult['results'][number]) => void send({ done: result.id }),
  };
  const { report } = await makeReport({ ...options, mayLeaveBehind }, watcher);
  return { report };
}

/** Resolves when it is handed over, or when nobody is there any more. */
function send(message: RunMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send?.(message, () => resolve());
    else resolve();
  });
}
