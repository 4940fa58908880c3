import { setTimeout as sleep } from 'node:timers/promises';
import { profileWith } from '../../../mock/testing/open-mock.ts';
import { loadProfile } from '../../../openapi/profile.ts';
import { checks } from '../../checks/index.ts';
import type { MockRun } from '../run-against-mock.ts';
import {
  accepted,
  callOf,
  changingData,
  isAbout,
  isCreate,
  isCreation,
  jsonOf,
  refuse,
  refusing,
  replaying,
  withBody,
  withJson,
} from '../tampering.ts';
import type { Tamper } from '../tampering-proxy.ts';
import { row, type VerdictRow } from './verdict-row.ts';

const full = { tier: 'full', cases: 4 } as const;
const told = loadProfile('default');

/** Short waits in real time. */
const quick = { arrivalMs: 300, patienceMs: 3_000, cases: 4, tier: 'full' } as const;
const all = [...new Set(checks.map(({ requirement }) => requirement))];
const ofSubscriptions = all.filter((id) => id.startsWith('HOOK-'));

/** Not verified with ten subscriptions per site: retries need more targets at the same time. */
const withTen = all.filter((id) => !/^(RETRY-|RECV-|EVENT-4$|EVENT-13$)/.test(id));
/** No room for subscriptions on chat channels. */
const recipients = ['EVENT-4', 'EVENT-13'];

export const subscriptionRows: readonly VerdictRow[] = [
  row(
    'only secrets of 32 characters or more',
    { passes: ['HOOK-2', 'SIG-4', 'SIG-5', 'EVENT-13'], drifts: ['subscription.secret-rule'] },
    () => ({ spoken: profileWith({ 'subscription.secret-rule': 'min-32' }), told, options: full }),
  ),
  row(
    'only secrets in printable ASCII',
    { passes: ['HOOK-2', 'SIG-4', 'SIG-5', 'EVENT-6'], drifts: ['subscription.secret-rule'] },
    () => ({
      spoken: profileWith({ 'subscription.secret-rule': 'ascii' }),
      told,
      options: { ...full, cases: 24 },
    }),
  ),
  row('one in nine creations refused at random', { verifies: ['HOOK-3', 'HOOK-5'] }, () => ({
    tamper: () => refusingEvery(9),
    options: { ...full, only: ['HOOK-3', 'HOOK-5'], cases: 24 },
  })),
  row('only secrets without blanks', { passes: ['HOOK-2'] }, () => ({
    tamper: () => refusingOf(({ secret }) => /[^\x21-\x7e]/.test(String(secret ?? ''))),
    options: { ...full, only: ['HOOK-2'], cases: 24 },
  })),
  row(
    'only long secrets, with slow creations',
    { passes: ['HOOK-2', 'SIG-4'], drifts: ['subscription.secret-rule'] },
    () => ({
      tamper: () => slowly(longOnly, 40),
      options: { ...full, only: ['HOOK-2', 'SIG-4', 'EVENT-13'] },
    }),
  ),
  row('only secrets of at most 40 characters', { passes: ['HOOK-2', 'SIG-4', 'EVENT-6'] }, () => ({
    tamper: () => refusingOf(({ secret }) => String(secret ?? '').length > 40),
    options: { ...full, only: ['HOOK-2', 'SIG-4', 'EVENT-6'] },
  })),
  row('only secrets of letters and digits', { passes: ['HOOK-2', 'SIG-4', 'SIG-5'] }, () => ({
    tamper: () => refusingOf(({ secret }) => secret !== undefined && !/^[a-z0-9]+$/i.test(String(secret))),
    options: { ...full, cases: 24 },
  })),
  row(
    'a quota that refuses every tenth creation and ends with the next call',
    { passes: ['HOOK-3', 'HOOK-5', 'HOOK-10'] },
    () => ({
      tamper: () => refusingEach(10),
      options: { ...full, only: ['HOOK-3', 'HOOK-5', 'HOOK-10'] },
    }),
  ),
  row(
    'only https receivers',
    { passes: ['HOOK-1', 'HOOK-2', 'HOOK-5', 'HOOK-7', 'AUTH-1'], leavesOpen: ['HOOK-10'] },
    () => ({ tamper: () => takingAddresses(/^https:/, 40002), options: full }),
  ),
  row(
    'receivers on a list that the suite does not know',
    { passes: ['ENV-1'], verifies: ['LOGIN-1'], leavesOpen: ['HOOK-1', 'HOOK-2', 'HOOK-10', 'AUTH-2'] },
    () => ({ tamper: () => takingAddresses(/^https:\/\/listed\.example\//, 40310), options: full }),
  ),
  row(
    'receivers on a list with the receiver of the suite',
    { passes: ['HOOK-1', 'HOOK-10', 'EVENT-13'] },
    () => ({ spoken: profileWith({ 'subscription.url-rule': 'allow-list' }), told, options: full }),
  ),
  row(
    'subscription ids counted per site',
    { passes: ['HOOK-1', 'HOOK-10', 'HOOK-11', 'AUTH-6', 'EVENT-13'] },
    () => ({ spoken: profileWith({ 'subscription.id-scope': 'per-site' }), told, options: full }),
  ),
  row(
    'ten subscriptions per site',
    { passes: withTen, verifies: ['RETRY-1', 'RETRY-2', 'RETRY-4', 'RETRY-5', ...recipients] },
    () => ({ spoken: profileWith({ 'subscription.quota': 10 }), told, options: full }),
  ),
  row(
    'ten subscriptions per site, in real time',
    { passes: [...ofSubscriptions, 'AUTH-6', 'SIG-4', 'CHAN-3', 'LOG-1'], verifies: recipients },
    () => ({
      spoken: profileWith({ 'subscription.quota': 10 }),
      told,
      control: false,
      options: {
        ...quick,
        arrivalMs: 1_000,
        patienceMs: 6_000,
        only: all.filter((id) => /^(HOOK|EVENT|AUTH-[1-46]|SIG|CHAN|LOG)/.test(id)),
      },
    }),
  ),
  row(
    'ten subscriptions per site, and a deleted one counts for a second',
    { passes: [...ofSubscriptions, 'AUTH-4'] },
    () => ({
      tamper: () => countingDeleted(10, 1_000),
      control: false,
      options: { ...quick, only: [...ofSubscriptions, 'AUTH-4'] },
    }),
  ),
  row(
    'three subscriptions per site',
    { passes: ['HOOK-1', 'HOOK-2', 'HOOK-3', 'HOOK-5', 'HOOK-10', 'CHAN-1', 'SIG-5'] },
    () => ({ spoken: profileWith({ 'subscription.quota': 3 }), told, options: full }),
  ),
  row(
    'twelve subscriptions per site, without deletions',
    { verifies: ['HOOK-1', 'HOOK-2', 'EVENT-6', 'EVENT-11'] },
    () => ({
      spoken: profileWith({ 'subscription.quota': 12 }),
      told: profileWith({ 'operation.delete-subscription': 'unknown' }),
      options: full,
    }),
  ),
  row('a site full of subscriptions of earlier runs', { leavesOpen: ['HOOK-1', 'HOOK-10'] }, () => ({
    spoken: profileWith({ 'subscription.quota': 10 }),
    told,
    sabotage: ({ world }) => {
      for (let id = 9_001; id <= 9_010; id++)
        world.subscriptions.set(String(id), {
          id,
          siteId: 101,
          url: `http://127.0.0.1:65534/sitepub/0badcafe/${id}`,
          events: ['form.submit'],
          channel: 'custom',
          createdAt: 0,
        });
    },
    options: full,
  })),
  row(
    'every POST replayed for ten seconds, including the test call',
    { passes: ['HOOK-1', 'HOOK-10', 'HOOK-11', 'EVENT-13'] },
    () => ({
      tamper: replaying,
      control: false,
      options: { ...quick, cases: 0, only: [...ofSubscriptions, 'AUTH-6', 'EVENT-13', 'CHAN-1'] },
    }),
  ),
  row(
    'a subscription that works 0.7 s after its creation',
    { passes: [...ofSubscriptions, 'SIG-5'], verifies: ['AUTH-2', 'AUTH-3'] },
    () => ({
      variations: ['late-effects'],
      control: false,
      options: { ...quick, cases: 2, only: [...ofSubscriptions, 'AUTH-2', 'AUTH-3', 'AUTH-6', 'SIG-5'] },
    }),
  ),
  row('a deleted subscription that can be tested for another 1.5 s', { passes: ['HOOK-11'] }, () => ({
    tamper: lingering,
    control: false,
    options: { ...quick, cases: 0, only: ['HOOK-11'] },
  })),
  row('a test refused during another operation', { leavesOpen: ['HOOK-10'] }, () => ({
    tamper: () => refusing(isTesting, 409),
    options: { ...full, only: ofSubscriptions },
  })),
  row(
    'names of channels and events accepted in any case',
    { passes: ['HOOK-4', 'HOOK-6'], remarks: ['lenient-name'] },
    () => ({ variations: ['lenient-names'], options: { ...full, cases: 24 } }),
  ),
  row(
    'a receiving URL without a scheme, completed',
    { passes: ['HOOK-1', 'HOOK-7'], remarks: ['completed-url'] },
    () => ({ variations: ['tidied-urls'], options: { ...full, cases: 24 } }),
  ),
  row(
    'the signing secret shown in the list of subscriptions',
    { passes: ['HOOK-1', 'HOOK-2', 'SIG-4'], remarks: ['signing-secret-shown'] },
    () => ({ tamper: showingSecretsInLists, options: full }),
  ),
  row(
    'the channel shown under another name',
    { passes: ['HOOK-1', 'HOOK-3'], drifts: ['subscription.response.channel'] },
    () => ({
      tamper: () => changingAnswers(({ channel }) => ({ channel: `robot:${channel}` })),
      options: { ...full, only: ofSubscriptions },
    }),
  ),
  row(
    'receiving URLs with a masked key, and events in another order',
    { passes: ['HOOK-1', 'HOOK-5'] },
    () => ({
      tamper: () =>
        changingAnswers(({ url, events }) => ({
          url: String(url).replace(/\?.*/, '?key=***'),
          events: Array.isArray(events) ? events.toReversed() : events,
        })),
      options: { ...full, only: ofSubscriptions },
    }),
  ),
  broken('a creation that shows the URL of the one before', 'creation-shows-last-url', 'HOOK-1'),
  broken('a creation that shows some of the events', 'creation-shows-first-three-events', 'HOOK-1'),
  broken('a creation that shows another channel', 'creation-shows-custom-for-robots', 'HOOK-1'),
  broken('a channel in a different case, stored as sent', 'channel-kept-in-any-case', 'HOOK-4'),
  broken('an event in a different case, stored as sent', 'event-kept-in-any-case', 'HOOK-6'),
  broken('a URL without a scheme, stored as sent', 'url-kept-without-scheme', 'HOOK-7'),
  broken(
    'a test through another site that reaches the target',
    'test-through-other-site-of-tenant',
    'HOOK-11',
  ),
  broken('a test through another site that is passed over', 'test-through-other-site-passed-over', 'HOOK-11'),
  broken(
    'a list that has the subscriptions of another tenant',
    'list-of-subscriptions-of-all-tenants',
    'AUTH-6',
  ),
];

function broken(behaviour: string, fault: string, requirement: string): VerdictRow {
  return row(behaviour, { fails: [requirement] }, () => ({
    faults: [fault],
    options: { ...full, cases: 24, only: [requirement, 'HOOK-3'] },
  }));
}

type Creation = Record<string, unknown>;

const isTesting = isAbout('POST', /\/test$/);

/** Refuses some creations that the mock accepts. */
function refusingOf(when: (creation: Creation) => boolean, status = 400, code = 40002): Tamper {
  return refusing((message) => isCreation(message) && when(jsonOf(message.body)), status, code);
}

/** Refuses one creation of `every`. */
function refusingEvery(count: number): Tamper {
  let creations = 0;
  return refusingOf(({ url }) => typeof url === 'string' && ++creations % count === 0, 500, 50000);
}

/** Refuses each nth creation with an unknown code. */
function refusingEach(number: number): Tamper {
  let count = 0;
  return refusingOf(() => ++count % number === 0, 403, 42901);
}

/** Accepts only some URLs, and pushes nothing to them. */
function takingAddresses(taken: RegExp, code: number): Tamper {
  const refuseOthers = refusingOf(
    ({ url }) => typeof url === 'string' && /^https?:/.test(url) && !taken.test(url),
    403,
    code,
  );
  return (message, forward) =>
    refuseOthers(message, (allowed) =>
      forward(isForNobody(jsonOf(allowed.body).url) ? toNobody(allowed) : allowed),
    );
}

function isForNobody(url: unknown): boolean {
  return typeof url === 'string' && url.startsWith('https://hooks.');
}

function toNobody(message: Parameters<Tamper>[0]): Parameters<Tamper>[0] {
  return withBody(message, (body) => ({ ...body, url: 'http://127.0.0.1:65534/' }));
}

/** Tests of deleted subscriptions succeed for 1.5 s. */
function lingering(): Tamper {
  const deleted = new Map<string, number>();
  const success = { code: 0, message: 'success', data: {} };
  return async (message, forward) => {
    const reply = await forward(message);
    if (message.method === 'DELETE' && accepted(callOf(message, reply)))
      deleted.set(message.path, Date.now());
    const since = deleted.get(message.path.replace(/\/test$/, '')) ?? 0;
    if (!isTesting(message) || Date.now() - since > 1_500) return reply;
    return { ...withJson(reply, { ...success, trace_id: `${performance.now()}` }), status: 200 };
  };
}

/** Changes the answers to creations. */
function changingAnswers(change: (shown: Creation) => Creation): Tamper {
  return changingData(isCreate, (data) => ({ ...data, ...change(data) }));
}

function showingSecretsInLists(): ReturnType<NonNullable<MockRun['tamper']>> {
  const secrets = new Map<unknown, unknown>();
  return async (message, forward) => {
    const { url, secret } = jsonOf(message.body);
    if (secret !== undefined) secrets.set(url, secret);
    const reply = await forward(message);
    const answer = jsonOf(reply.body) as { data?: { list?: { url?: unknown }[] } };
    if (message.method !== 'GET' || !Array.isArray(answer.data?.list)) return reply;
    const list = answer.data.list.map((item) => ({ ...item, secret: secrets.get(item.url) }));
    return withJson(reply, { ...answer, data: { ...answer.data, list } });
  };
}

const longOnly = refusingOf(({ secret }) => typeof secret === 'string' && secret.length < 32);

function slowly(tamper: Tamper, ms: number): Tamper {
  return async (message, forward) => {
    await sleep(ms);
    return tamper(message, forward);
  };
}

/** Limits the subscriptions per site, including recently deleted ones. */
function countingDeleted(most: number, ms: number): Tamper {
  const counted = new Map<string, number>();
  return async (message, forward) => {
    const [, site = ''] = /sites\/([^/]+)\/webhooks/.exec(message.path) ?? [];
    const isCreation = message.method === 'POST' && message.path.endsWith('/webhooks');
    if (isCreation && (counted.get(site) ?? 0) >= most) return refuse(409, 40901);
    const reply = await forward(message);
    if (jsonOf(reply.body).code !== 0) return reply;
    const add = (count: number) => counted.set(site, (counted.get(site) ?? 0) + count);
    if (isCreation) add(1);
    if (message.method === 'DELETE' && site !== '') setTimeout(add, ms, -1).unref();
    return reply;
  };
}
