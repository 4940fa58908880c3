// Announces what a run leaves behind, and refuses to leave much behind without --leave-behind.
import { LeaveNeeded } from '../core/outcomes.ts';
import type { SuiteOptions } from '../core/suite-options.ts';
import { dryRunOf } from './dry-run.ts';
import { missingDeletions, mostWithoutLeave, needsLeave, sayStaying } from './left-behind.ts';
import { selectChecks } from './select-checks.ts';

/** The announcement; undefined if nothing stays. Throws LeaveNeeded. With a control API nothing stays, because the mock can be reset. */
export function planLeftBehind(options: SuiteOptions): string | undefined {
  if (options.tier === 'smoke' || options.controlUrl !== undefined) return undefined;
  const { creates } = dryRunOf(options, selectChecks(options));
  const what = sayStaying(creates);
  if (what === undefined) return undefined;
  const isMuch = needsLeave(creates);
  if (isMuch && !options.mayLeaveBehind)
    throw new LeaveNeeded(
      `the run would leave up to ${what} behind, more than ${mostWithoutLeave} of a kind, so it was not started; state ${missingDeletions(creates).join(', ')} in the profile, choose a smaller --suite, or allow it with --leave-behind`,
    );
  const leave = isMuch ? ` (more than ${mostWithoutLeave} of a kind, allowed by --leave-behind)` : '';
  return `sitepub: the run will leave up to ${what} behind${leave}`;
}
