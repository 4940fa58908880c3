import { LeaveBehindNeeded } from '../core/outcomes.ts';
import type { SuiteOptions } from '../core/suite-options.ts';
import { sayConnection, type Target } from '../deployment/connection.ts';
import { type DryRun, dryRunOf, isShortOfLogins } from './dry-run.ts';
import { leftoverLimit, missingDeletions, needsLeaveBehind, nounOf, sayStaying } from './left-behind.ts';
import { selectChecks } from './select-checks.ts';

export function dryRunText(plan: DryRun, target: Target): string {
  const way = sayConnection(target);
  const total = plan.requests.reduce((sum, { count }) => sum + count, 0);
  const lines = [
    `sitepub test --dry-run  ${target.baseUrl}: nothing was sent`,
    ...(way === undefined ? [] : [`  ${way}`]),
    '',
    `${plan.checks} checks, up to ${total} requests, about ${timeText(plan.durationMs)}${plan.waitMs > 0 ? ` (${timeText(plan.waitMs)} of it waiting)` : ''}`,
    '',
    'Requests',
    ...plan.requests
      .toSorted((one, other) => other.count - one.count)
      .map(({ count, method, path }) => `  ${String(count).padStart(4)}  ${method} ${path}`),
    '',
    `Logins of the tenant: ${plan.logins.count} planned, ${plan.logins.recent} in the last minute, limit 10 per minute${isShortOfLogins(plan) ? '; some checks will wait or stay not verified' : ''}`,
    '',
    'Creates',
    ...(plan.creates.length === 0 ? ['  nothing'] : plan.creates.map(createsLine)),
    ...leaveLines(plan),
    ...notVerifiedLines(plan),
  ];
  return `${lines.join('\n')}\n`;
}

function createsLine({ what, count, isDeleted }: DryRun['creates'][number]): string {
  const fate = isDeleted
    ? 'deleted at the end'
    : 'left behind: cannot be deleted, or the profile does not say how';
  return `  up to ${count}  ${nounOf(what, count)}, ${fate}`;
}

function leaveLines({ creates }: DryRun): string[] {
  return needsLeaveBehind(creates)
    ? ['', `The run would leave more than ${leftoverLimit} of a kind behind, so it needs --leave-behind.`]
    : [];
}

function notVerifiedLines({ notVerified }: DryRun): string[] {
  const reasons = Map.groupBy(notVerified, ({ reason }) => reason);
  if (reasons.size === 0) return [];
  const lines = [...reasons].map(([reason, those]) => {
    const ids = [...new Set(those.map(({ requirement }) => requirement))];
    return `  ${ids.join(', ')}: ${reason}`;
  });
  return ['', 'Not verified', ...lines];
}

function timeText(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  return seconds > 90 ? `${Math.ceil(seconds / 60)} min` : `${seconds} s`;
}

/** The announcement; undefined if the run leaves nothing behind. Throws LeaveBehindNeeded. A mock with a control API can be reset. */
export function planLeftBehind(options: SuiteOptions): string | undefined {
  if (options.tier === 'smoke' || options.controlUrl !== undefined) return undefined;
  const { creates } = dryRunOf(options, selectChecks(options));
  const what = sayStaying(creates);
  if (what === undefined) return undefined;
  const isMuch = needsLeaveBehind(creates);
  if (isMuch && !options.mayLeaveBehind)
    throw new LeaveBehindNeeded(
      `the run would leave up to ${what} behind, more than ${leftoverLimit} of a kind, so it was not started; state ${missingDeletions(creates).join(', ')} in the profile, choose a smaller --suite, or allow it with --leave-behind`,
    );
  const leave = isMuch ? ` (more than ${leftoverLimit} of a kind, allowed by --leave-behind)` : '';
  return `sitepub: the run will leave up to ${what} behind${leave}`;
}
