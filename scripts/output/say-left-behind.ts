// Says before a run what it will leave behind, and asks for leave where that is much.
import type { SuiteOptions } from '../../contract-tests/core/suite-options.ts';
import { UsageError } from '../options/usage-error.ts';

/** Throws UsageError where much would stay without leave. A mock whose control API is given can be reset, so nothing stays there. */
export async function sayLeftBehind(options: SuiteOptions, hasLeave: boolean): Promise<void> {
  if (options.tier === 'smoke' || options.controlUrl !== undefined) return;
  const { selectChecks } = await import('../../contract-tests/run/select-checks.ts');
  const { dryRunOf } = await import('../../contract-tests/run/dry-run.ts');
  const { missingDeletions, mostWithoutLeave, needsLeave, sayStaying } = await import(
    '../../contract-tests/run/left-behind.ts'
  );
  const { creates } = dryRunOf(options, selectChecks(options));
  const what = sayStaying(creates);
  if (what === undefined) return;
  if (!needsLeave(creates)) return console.error(`sitepub: at most ${what} will be left behind`);
  const gaps = missingDeletions(creates).join(', ');
  if (hasLeave)
    return console.error(
      `sitepub: --leave-behind: at most ${what} will be left behind; delete them yourself`,
    );
  throw new UsageError(
    `the run would leave at most ${what} behind, more than ${mostWithoutLeave} of a kind, so nothing was sent; state ${gaps} in the profile, choose a smaller --suite, or allow it with --leave-behind`,
  );
}
