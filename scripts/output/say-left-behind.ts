// What a run will leave behind, as it is said when the checks begin. Where it is much, the run asks for leave.
import type { SuiteOptions } from '../../contract-tests/core/suite-options.ts';
import { UsageError } from '../options/usage-error.ts';

/**
 * The line that says what will stay; undefined where nothing will. Throws UsageError where that is much and nobody gave leave. A mock whose
 * control API is given can be reset, so there nothing stays.
 */
export async function planLeftBehind(options: SuiteOptions, hasLeave: boolean): Promise<string | undefined> {
  if (options.tier === 'smoke' || options.controlUrl !== undefined) return undefined;
  const { selectChecks } = await import('../../contract-tests/run/select-checks.ts');
  const { dryRunOf } = await import('../../contract-tests/run/dry-run.ts');
  const { missingDeletions, mostWithoutLeave, needsLeave, sayStaying } = await import(
    '../../contract-tests/run/left-behind.ts'
  );
  const { creates } = dryRunOf(options, selectChecks(options));
  const what = sayStaying(creates);
  if (what === undefined) return undefined;
  const isMuch = needsLeave(creates);
  if (isMuch && !hasLeave)
    throw new UsageError(
      `the run would leave at most ${what} behind, more than ${mostWithoutLeave} of a kind, so nothing was sent; state ${missingDeletions(creates).join(', ')} in the profile, choose a smaller --suite, or allow it with --leave-behind`,
    );
  const leave = isMuch ? ` (more than ${mostWithoutLeave} of a kind, by --leave-behind)` : '';
  return `sitepub: at most ${what} will be left behind${leave}`;
}
