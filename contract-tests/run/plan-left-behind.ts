// What a run will leave behind, as it is said when the checks begin. Where it is much, the run asks for leave.
import { LeaveNeeded } from '../core/outcomes.ts';
import type { SuiteOptions } from '../core/suite-options.ts';
import { dryRunOf } from './dry-run.ts';
import { missingDeletions, mostWithoutLeave, needsLeave, sayStaying } from './left-behind.ts';
import { selectChecks } from './select-checks.ts';

/**
 * The line that says what will stay; undefined where nothing will. Throws LeaveNeeded where that is much and nobody gave leave. A mock whose
 * control API is given can be reset, so there nothing stays.
 */
export function planLeftBehind(options: SuiteOptions): string | undefined {
  if (options.tier === 'smoke' || options.controlUrl !== undefined) return undefined;
  const { creates } = dryRunOf(options, selectChecks(options));
  const what = sayStaying(creates);
  if (what === undefined) return undefined;
  const isMuch = needsLeave(creates);
  if (isMuch && !options.mayLeaveBehind)
    throw new LeaveNeeded(
      `the run would leave at most ${what} behind, more than ${mostWithoutLeave} of a kind, so nothing was sent; state ${missingDeletions(creates).join(', ')} in the profile, choose a smaller --suite, or allow it with --leave-behind`,
    );
  const leave = isMuch ? ` (more than ${mostWithoutLeave} of a kind, by --leave-behind)` : '';
  return `sitepub: at most ${what} will be left behind${leave}`;
}
