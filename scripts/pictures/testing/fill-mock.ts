// What the pictures and the browser tests show: a mock in which something has happened, and a report with failures.
import type { Report } from '../../../contract-tests/reports/report.ts';
import { runAgainstMock } from '../../../contract-tests/self/run-against-mock.ts';
import type { StartedMock } from '../../../mock/start.ts';

/** Each view, and one item of each in detail. */
export const lookAtViews = [
  'requests',
  'requests/2',
  'deliveries',
  'deliveries/1',
  'deliveries/3',
  'inboxes',
  'inboxes/shop',
  'inboxes/team',
  'world',
  'world/101',
  'steering',
];

const username = 'mei@harbour-cafe.example';
const events = ['publish.complete', 'comment.created', 'form.submit'] as const;

/** Subscribes a failing receiver and a chat robot, and causes some events. */
export async function fillMock(
  { control, baseUrl }: StartedMock,
  { requests = 12, pushes = 6 }: { requests?: number; pushes?: number } = {},
): Promise<void> {
  const secret = 'correct-horse-battery';
  const shop = control.inbox('shop').configure({ secret, respond: [500, 500, 500, 500] });
  const team = control.inbox('team').configure({ kind: 'dingtalk' });
  const common = { siteID: 101, events };
  await control.call({
    operation: 'createSubscription',
    username,
    values: { ...common, url: shop.url, channel: 'custom', secret },
  });
  await fetch(`${baseUrl}/auth/tenant/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: 'a guess' }),
  });
  await control.call({
    operation: 'createSubscription',
    username,
    values: { ...common, url: team.url, channel: 'dingtalk' },
  });
  await control.call({ operation: 'publishSite', username, values: { siteID: 101, note: 'a new menu' } });
  await control.drain();
  await control.advance('PT6M');
  for (let count = control.deliveries().total; count < pushes; count = control.deliveries().total) {
    control.causeEvent({ event: 'comment.created', site_id: 101 });
    await control.drain();
  }
  for (let count = control.requests().total; count < requests; count++)
    await fetch(`${baseUrl}/tenant/sites?page=${count}`);
  control.override({ operation: 'login', status: 503, times: 1 });
}

const faults = [
  'no-trace-id-on-404',
  'total-one-short',
  'empty-password-taken',
  'create-without-authorization',
  'invented-key-taken-on-create',
  'unknown-channel-is-custom',
  'eleventh-login-taken',
  'site-id-as-text-on-form-submit',
  'timestamp-header-local',
  'fourth-retry',
];

export function makeRedReport(): Promise<Report> {
  return runAgainstMock({ faults, options: { tier: 'full', cases: 4 } });
}
