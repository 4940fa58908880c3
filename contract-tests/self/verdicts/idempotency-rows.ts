import { profileWith } from '../../../mock/testing/open-mock.ts';
import { loadProfile } from '../../../openapi/profile.ts';
import { type MockRun, profileWithout } from '../run-against-mock.ts';
import { jsonOf, refusing, withJson } from '../tampering.ts';
import type { Tamper } from '../tampering-proxy.ts';
import { broken, row, type VerdictRow } from './verdict-row.ts';

const requirements = ['IDEM-1', 'IDEM-2', 'IDEM-3', 'IDEM-4', 'IDEM-5'];
const options = { tier: 'full', cases: 4, only: requirements } as const;
/** Real time, without the control API. */
const inRealTime = {
  control: false,
  options: { ...options, only: ['IDEM-1', 'IDEM-4'], maxWaitMs: 35_000 },
};

const usual = loadProfile('default');

/** States nothing about repetitions. */
const silent = profileWithout((gap) => gap.startsWith('idempotency.'));

/** The deployment differs from the suite's profile. */
function unlike(values: Record<string, unknown>, more: MockRun = {}): MockRun {
  return { spoken: profileWith(values), told: usual, options, ...more };
}

const byKey = { 'idempotency.repetition': 'key-header', 'idempotency.key-header': 'X-Tenant-Call' };

const keysForWebhooksAlone = refusing(
  ({ headers, path }) => /^Bearer sp_/.test(headers.authorization ?? '') && !path.includes('/webhooks'),
  403,
);

/** Adds members to the first answer of a site creation and to its repetitions. */
function describing(first: (name: string) => object, repeat: (name: string) => object): () => Tamper {
  return () => {
    const seen = new Set<string>();
    return async (message, forward) => {
      const reply = await forward(message);
      if (message.method !== 'POST' || !message.path.endsWith('/tenant/sites')) return reply;
      const [sent, body] = [jsonOf(message.body), jsonOf(reply.body)];
      if (body.code !== 0) return reply;
      const more = (seen.has(String(message.body)) ? repeat : first)(String(sent.site_name));
      seen.add(String(message.body));
      return withJson(reply, { ...body, data: { ...Object(body.data), ...more } });
    };
  };
}

const ofCreations = { tier: 'full', cases: 4, only: ['IDEM-1', 'IDEM-4', 'IDEM-5'] } as const;

export const idempotencyRows: readonly VerdictRow[] = [
  row(
    'idempotency keys in an unguessable header',
    { leavesOpen: ['IDEM-1', 'IDEM-2', 'IDEM-3'], drifts: ['idempotency.repetition'] },
    () => unlike(byKey),
  ),
  row(
    'idempotency keys in a usual header',
    { leavesOpen: ['IDEM-1', 'IDEM-2', 'IDEM-3'], drifts: ['idempotency.repetition'] },
    () => unlike({ ...byKey, 'idempotency.key-header': 'X-Idempotency-Key' }),
  ),
  row(
    'idempotency keys in another header than the profile states',
    { leavesOpen: ['IDEM-1', 'IDEM-2', 'IDEM-3'], drifts: ['idempotency.key-header'] },
    () => unlike(byKey, { told: profileWith({ ...byKey, 'idempotency.key-header': 'Idempotency-Key' }) }),
  ),
  row('idempotency keys in the stated header', { passes: requirements }, () => ({
    spoken: profileWith(byKey),
    options,
  })),
  row('identical calls are repetitions, although the profile states keys', { passes: requirements }, () => ({
    spoken: usual,
    told: profileWith(byKey),
    options,
  })),
  broken('only one operation takes a repetition for a new call', 'site-created-again', 'IDEM-1', {
    spoken: usual,
    told: silent,
    options,
  }),
  broken('an identical publish is still running', 'repeated-publish-is-under-way', 'IDEM-2', {
    spoken: usual,
    told: silent,
    options,
  }),
  broken('an identical publish has a new version', 'site-published-again', 'IDEM-2', {
    spoken: usual,
    told: silent,
    options,
  }),
  row(
    'a publish without changes returns the current version',
    { passes: requirements, drifts: ['publish.unchanged'] },
    () => unlike({ 'publish.unchanged': 'same-version' }),
  ),
  row(
    'a window of twelve seconds, and a publish without changes returns the current version',
    { passes: requirements },
    () => unlike({ 'publish.unchanged': 'same-version', 'idempotency.window': 12 }),
  ),
  row(
    'an unchanged site has one version, and no known call changes it',
    { passes: ['IDEM-1', 'IDEM-2', 'IDEM-3'], verifies: ['IDEM-4', 'IDEM-5'] },
    () => {
      const values = { 'publish.unchanged': 'same-version', 'operation.create-content': 'unknown' };
      return { spoken: profileWith(values), options };
    },
  ),
  row(
    'an unchanged site has one version, and keys are in an unguessable header',
    { leavesOpen: ['IDEM-1', 'IDEM-3'] },
    () => unlike({ ...byKey, 'publish.unchanged': 'same-version' }),
  ),
  broken('different publishes have one result despite changes', 'publishes-of-a-site-all-alike', 'IDEM-5', {
    options,
  }),
  row('a different publish is refused while one runs', { passes: requirements }, () =>
    unlike({ 'publish.concurrent': 'refused' }),
  ),
  row(
    'creations take three seconds, and their window starts at their end',
    { passes: ['IDEM-1', 'IDEM-4'] },
    () => ({
      spoken: profileWith({ 'idempotency.window': 10 }),
      variations: ['slow-creations'],
      ...inRealTime,
    }),
  ),
  row(
    'an identical call is refused while the first one runs',
    { verifies: ['IDEM-1', 'IDEM-3'], drifts: ['idempotency.in-progress'] },
    () => unlike({ 'idempotency.in-progress': 'refused' }),
  ),
  broken(
    'simultaneous identical creations create one site each',
    'creations-at-once-not-recognized',
    'IDEM-1',
    { options },
  ),
  broken(
    'simultaneous identical publishes have one version each',
    'publishes-at-once-not-recognized',
    'IDEM-2',
    { options },
  ),
  broken('simultaneous identical imports import one site each', 'imports-at-once-not-recognized', 'IDEM-3', {
    options,
  }),
  row('the answer to a repeated creation has only the id', { fails: ['IDEM-1'] }, () => ({
    tamper: describing(
      (name) => ({ name, state: 'draft' }),
      () => ({}),
    ),
    options: ofCreations,
  })),
  row('the answer to a repeated creation has another name', { fails: ['IDEM-1'] }, () => ({
    tamper: describing(
      (name) => ({ name }),
      () => ({ name: 'Untitled' }),
    ),
    options: ofCreations,
  })),
  row(
    'the answer to a repeated creation shows that the site is ready',
    { passes: ['IDEM-1', 'IDEM-4', 'IDEM-5'] },
    () => ({
      tamper: describing(
        (name) => ({ name, state: 'queued', eta_seconds: 10, created: true, progress: null }),
        (name) => ({ name, state: 'done', created: false }),
      ),
      options: ofCreations,
    }),
  ),
  row('every POST is replayed for ten seconds', { passes: requirements }, () =>
    unlike({ 'idempotency.scope': 'every-post', 'idempotency.window': 10 }),
  ),
  row(
    'repetitions have the trace_id of the first call, also for subscriptions',
    { passes: ['ENV-4', 'IDEM-1', 'IDEM-2', 'IDEM-3'] },
    () => ({
      spoken: profileWith({ 'idempotency.trace': 'same', 'idempotency.subscriptions': 'repeated' }),
      options: { ...options, only: [...requirements, 'ENV-4'] },
    }),
  ),
  row('API keys may not create, publish or import sites', { passes: requirements }, () => ({
    tamper: () => keysForWebhooksAlone,
    options,
  })),
];
