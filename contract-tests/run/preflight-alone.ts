// The preflight of a run that is to begin later: whether its settings fit, before another run creates anything.
import type { Abort } from '../core/outcomes.ts';
import type { SuiteOptions } from '../core/suite-options.ts';
import type { OnWait } from '../deployment/deployment-clock.ts';
import { checkAddresses } from './preflight/check-addresses.ts';
import { startRun } from './run-suite.ts';

/** Why a run with these options could not begin. It costs a login or two, and what it creates is deleted. */
export async function preflightAlone(
  options: SuiteOptions,
  runner: { signal: AbortSignal; onWait?: OnWait },
): Promise<Abort | undefined> {
  const unreachable = await checkAddresses(options);
  if (unreachable) return unreachable;
  const run = await startRun(options, runner);
  return (await run.finish()).abort;
}
