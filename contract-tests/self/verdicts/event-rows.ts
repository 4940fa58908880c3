import { setTimeout as sleep } from 'node:timers/promises';
import type { RootMock } from '../../../mock/server/create-mock.ts';
import { profileWith } from '../../../mock/testing/open-mock.ts';
import { loadProfile, statedValues } from '../../../openapi/profile.ts';
import { profileWithout, type TamperPush } from '../run-against-mock.ts';
import { changePushBody, changingData, greeting, refusing } from '../tampering.ts';
import type { Message } from '../tampering-proxy.ts';
import { row, type VerdictRow } from './verdict-row.ts';

const causes = ['EVENT-6', 'EVENT-7', 'EVENT-8', 'EVENT-9', 'EVENT-10', 'EVENT-11', 'EVENT-12'];
const bodies = ['EVENT-1', 'EVENT-2', 'EVENT-3'];
const all = [...bodies, 'EVENT-4', 'EVENT-5', ...causes, 'EVENT-13', 'SIG-1', 'SIG-2', 'SIG-3', 'SIG-4'];
const withRetries = ['EVENT-4', 'EVENT-13', 'RETRY-1', 'RETRY-3', 'RETRY-4', 'RETRY-5', 'SIG-6'];

/** Real time with short waits: late pushes come after the arrival timeout but within the patience. */
const realTime = { control: false } as const;
const hasty = { tier: 'full', only: all, arrivalMs: 300, patienceMs: 6_000 } as const;

export const eventRows: readonly VerdictRow[] = [
  row('pushes later than the arrival timeout', { passes: all, remarks: ['late'] }, () => ({
    ...realTime,
    sabotage: slowPushes(1_200),
    options: hasty,
  })),
  row('a publish longer than the arrival timeout', { passes: all, remarks: ['late'] }, () => ({
    ...realTime,
    sabotage: slowPushes(2_000, 'publish.complete'),
    options: hasty,
  })),
  row('a missing event in real time', { fails: ['EVENT-10'] }, () => ({
    ...realTime,
    sabotage: lost('comment.created'),
    options: { ...hasty, patienceMs: 1_500 },
  })),
  row('test messages about a sample site, with an event named test', { passes: all }, () => ({
    tamperPush: testMessages({ event: 'test', site_id: 1, site_name: 'A sample site' }),
    options: { tier: 'full', only: all },
  })),
  row(
    'test messages about a sample site, and no way to cause events',
    { passes: ['EVENT-2', 'SIG-1', 'SIG-2', 'SIG-4'], leavesOpen: ['EVENT-1', 'EVENT-3'] },
    () => ({
      told: loadProfile('documented-only'),
      tamperPush: testMessages({ site_id: 1, site_name: 'A sample site', timestamp: 'now' }),
      options: { tier: 'full', only: all },
    }),
  ),
  row(
    'a profile that states how to delete content, but not how to create it',
    { passes: ['EVENT-11', 'RETRY-1', 'SIG-6'], leavesOpen: ['EVENT-8'] },
    () => ({
      told: profileWithout((gap) =>
        /^operation\.((create|update|publish)-content|submit-form|create-comment)$/.test(gap),
      ),
      options: { tier: 'full', only: ['EVENT-8', 'EVENT-11', 'RETRY-1', 'SIG-6'] },
    }),
  ),
  row(
    'a greeting 400 ms after each creation',
    { passes: [...all, 'HOOK-10', 'CHAN-1'], remarks: ['greeting'] },
    () => ({
      ...realTime,
      tamper: () => greeting(400),
      options: { ...hasty, arrivalMs: 1_000, only: [...all, 'HOOK-10', 'CHAN-1'] },
    }),
  ),
  row(
    'a greeting 400 ms after each creation, and a test that sends nothing',
    { fails: ['HOOK-10'], remarks: ['greeting'] },
    () => ({
      ...realTime,
      tamper: () => greeting(400),
      sabotage: (mock) => {
        mock.dispatcher.test = async () => true;
        mock.dispatcher.queue = () => {};
      },
      options: { ...hasty, patienceMs: 3_000, only: ['HOOK-10'] },
    }),
  ),
  row(
    'a greeting a second after each creation, on a moved clock',
    {
      passes: [...all, 'HOOK-10', 'CHAN-1', 'RETRY-1', 'RETRY-2', 'RETRY-3', 'RETRY-4', 'RETRY-5'],
      remarks: ['greeting'],
    },
    () => ({
      spoken: profileWith({ 'subscription.greeting': 'on-creation', 'webhook.latency': 1 }),
      told: loadProfile('default'),
      options: { tier: 'full', cases: 4 },
    }),
  ),
  row(
    'a list of sites with a slug at the pointer of the name',
    { passes: bodies, drifts: ['operation.list-sites'] },
    () => ({
      tamper: () => changingData(isListOfSites, withSlugs),
      options: { tier: 'full', only: bodies },
    }),
  ),
  row(
    'a publish answered with another value than the version',
    { passes: causes, leavesOpen: ['EVENT-5'], drifts: ['operation.publish-site'] },
    () => ({
      tamper: () => changingData(isPublish, (data) => ({ ...data, version: Number(data.version) + 1 })),
      options: { tier: 'full', only: [...causes, 'EVENT-5'] },
    }),
  ),
  row(
    'a call that should make a publish fail, but does not',
    { leavesOpen: ['EVENT-12'], drifts: ['operation.fail-publish'] },
    () => ({
      told: profileWith({
        'operation.fail-publish': { ...statedPublish(), body: { note: '{note}', mode: 'fail' } },
      }),
      options: { tier: 'full', only: causes },
    }),
  ),
  row(
    'a failing publish without an event',
    { leavesOpen: ['EVENT-12'], drifts: ['operation.fail-publish'] },
    () => ({ sabotage: lost('publish.failed'), options: { tier: 'full', only: all } }),
  ),
  row('a publish that the next one replaces', { passes: ['EVENT-5', 'EVENT-11'] }, () => ({
    sabotage: keepingLatestPublish,
    options: { tier: 'full', only: all },
  })),
  row('events of visitors and other users at each push', { passes: withRetries }, () => ({
    sabotage: busySite,
    options: { tier: 'full', only: withRetries },
  })),
  row('texts of more than 1000 bytes are refused', { passes: all }, () => ({
    tamper: () => refusing((message) => isEventful(message) && message.body.length > 1_000, 422),
    options: { tier: 'full', only: all },
  })),
  row('an API key without permission to cause events', { passes: all }, () => ({
    tamper: () =>
      refusing(
        (message) => isEventful(message) && /Bearer sp_/.test(message.headers.authorization ?? ''),
        422,
      ),
    options: { tier: 'full', only: all },
  })),
  ...['2026-W47-7', '2026-326', '20261122'].map((form) =>
    row(
      `timestamps with a date in the form ${form}`,
      { passes: bodies, remarks: ['unusual-timestamp'] as const },
      () => ({
        tamperPush: timestamps((date) => rewriteDate(date, form)),
        options: { tier: 'full', only: bodies } as const,
      }),
    ),
  ),
  row('timestamps with +0100 and a comma', { passes: bodies, remarks: ['unusual-timestamp'] }, () => ({
    tamperPush: timestamps((date) => local(date, 60).replace('Z', '+0100').replace('.', ',')),
    options: { tier: 'full', only: bodies },
  })),
  row('a local time without an offset', { fails: ['EVENT-3'] }, () => ({
    tamperPush: timestamps((date) => local(date, 0).slice(0, 19)),
    options: { tier: 'full', only: bodies },
  })),
  row('a local time declared as Z', { fails: ['EVENT-3'] }, () => ({
    tamperPush: timestamps((date) => local(date, 480)),
    options: { tier: 'full', only: bodies },
  })),
  row('a site_id that is a string in events', { fails: ['EVENT-1'] }, () => ({
    tamperPush: changePushBody((body) => ({ ...body, site_id: String(body.site_id) })),
    options: { tier: 'full', only: bodies },
  })),
  row('duplicate pushes in another order', { passes: all }, () => ({
    variations: ['duplicate-pushes', 'reordered-pushes'],
    options: { tier: 'full', only: all },
  })),
];

/** Delays the pushes of one event, or all. */
function slowPushes(ms: number, event?: string): (mock: RootMock) => void {
  return ({ dispatcher }: RootMock) => {
    const { emit, test, queue } = dispatcher;
    dispatcher.emit = (push) =>
      emit({ ...push, at: push.at + (event === undefined || event === push.event ? ms : 0) });
    if (event !== undefined) return;
    dispatcher.test = async (push, subscription) => {
      await sleep(ms);
      return test(push, subscription);
    };
    dispatcher.queue = (push, subscription) => void sleep(ms).then(() => queue(push, subscription));
  };
}

function lost(event: string): (mock: RootMock) => void {
  return ({ dispatcher }: RootMock) => {
    const { emit } = dispatcher;
    dispatcher.emit = (push) => (push.event === event ? [] : emit(push));
  };
}

/** Sends a push only for the last of several simultaneous publishes. */
function keepingLatestPublish({ dispatcher, world }: RootMock): void {
  const { emit } = dispatcher;
  dispatcher.emit = (push) => {
    const latest = world.sites.get(push.site.id)?.lastVersion ?? 0;
    return push.event === 'publish.complete' && Number(push.data.version) < latest ? [] : emit(push);
  };
}

/** Adds a comment and a form submission to a site at each push. */
function busySite({ dispatcher }: RootMock): void {
  const { emit } = dispatcher;
  let count = 0;
  dispatcher.emit = (push) => {
    const deliveries = emit(push);
    count++;
    emit({ ...push, event: 'comment.created', data: { comment_id: -count, text: 'somebody else' } });
    emit({ ...push, event: 'form.submit', data: { submission_id: -count, form: 'contact' } });
    return deliveries;
  };
}

function testMessages(members: Record<string, unknown>): TamperPush {
  const change = changePushBody((body) => ({ ...body, ...members }));
  return (push, secret) => (push.body.includes('This is a test message') ? change(push, secret) : push);
}

function isEventful({ method, path }: Message): boolean {
  return method !== 'GET' && /\/(contents|comments|forms|publish)/.test(path);
}

function isListOfSites({ message: { method, path } }: { message: Message }): boolean {
  return method === 'GET' && /\/tenant\/sites(\?.*)?$/.test(path);
}

function isPublish({ message: { path } }: { message: Message }): boolean {
  return path.endsWith('/publish');
}

function withSlugs(data: Record<string, unknown>): object {
  const list = data.list as { site_id: number }[];
  return { ...data, list: list.map((site) => ({ ...site, site_name: `site-${site.site_id}` })) };
}

function statedPublish(): object {
  return statedValues(loadProfile('default'))['operation.publish-site'] as object;
}

function timestamps(write: (date: Date) => string): TamperPush {
  return changePushBody((body) => ({ ...body, timestamp: write(new Date(String(body.timestamp))) }));
}

/** A local time with Z. */
function local(date: Date, minutes: number): string {
  return new Date(date.getTime() + minutes * 60_000).toISOString();
}

function rewriteDate(date: Date, form: string): string {
  const [day = '', time = ''] = date.toISOString().split('T');
  if (form === '20261122') return `${day}T${time}`.replace(/[-:]/g, '');
  const start = Date.UTC(date.getUTCFullYear(), 0, 1);
  const number = Math.floor((date.getTime() - start) / 86_400_000) + 1;
  if (form === '2026-326') return `${date.getUTCFullYear()}-${String(number).padStart(3, '0')}T${time}`;
  const thursday = new Date(date.getTime() + (4 - (date.getUTCDay() || 7)) * 86_400_000);
  const year = thursday.getUTCFullYear();
  const week = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / 86_400_000 / 7) + 1;
  return `${year}-W${String(week).padStart(2, '0')}-${date.getUTCDay() || 7}T${time}`;
}
