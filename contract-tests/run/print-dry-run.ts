import { sayConnection, type Target } from '../deployment/connection.ts';
import { type DryRun, isShortOfLogins } from './dry-run.ts';
import { mostWithoutLeave, needsLeave, nounOf } from './left-behind.ts';

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
  return needsLeave(creates)
    ? [
        '',
        `The run would leave more than ${mostWithoutLeave} of a kind behind, so it needs --leave-behind.`,
      ]
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
