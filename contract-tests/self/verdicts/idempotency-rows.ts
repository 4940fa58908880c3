import { loadProfile, makeProfile, type Profile, statedValues } from '../../../openapi/profile.ts';
import type { MockRun } from '../run-against-mock.ts';
import { jsonOf, refuse } from '../tampering.ts';
import type { Tamper } from '../tampering-proxy.ts';
import type { VerdictRow } from './verdict-row.ts';

const requirements = ['IDEM-1', 'IDEM-2', 'IDEM-3', 'IDEM-4', 'IDEM-5'];
const options = { tier: 'full', cases: 4, only: requirements } as const;
/** Real time, without the control API. */
const inRealTime = {
  control: false,
  options: { ...options, only: ['IDEM-1', 'IDEM-4'], maxWaitMs: 35_000 },
};

const usual = loadProfile('default');

function spoken(values: Record<string, unknown>): Profile {
  return makeProfile({ ...statedValues(usual), ...values }, { name: 'unlike', source: 'test' });
}

/** The profile `default` with other rules for repetitions. */
const silent = makeProfile(
  Object.fromEntries(Object.entries(statedValues(usual)).filter(([gap]) => !gap.startsWith('idempotency.'))),
  { name: 'silent', source: 'test' },
);

/** The deployment differs from the suite's profile. */
function unlike(values: Record<string, unknown>, more: MockRun = {}): MockRun {
  return { spoken: spoken(values), told: usual, options, ...more };
}

const byKey = { 'idempotency.repetition': 'key-header', 'idempotency.key-header': 'X-Tenant-Call' };

const keysForWebhooksAlone: Tamper = (message, forward) => {
  const isByKey = message.headers.authorization?.startsWith('Bearer sp_') ?? false;
  return isByKey && !message.path.includes('/webhooks') ? refuse(403, 40300) : forward(message);
};

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
      return {
        ...reply,
        body: Buffer.from(JSON.stringify({ ...body, data: { ...Object(body.data), ...more } })),
      };
    };
  };
}

const ofCreations = { tier: 'full', cases: 4, only: ['IDEM-1', 'IDEM-4', 'IDEM-5'] } as const;

export const idempotencyRows: readonly VerdictRow[] = [
  {
    behaviour: 'idempotency keys in an unguessable header',
    run: () => unlike(byKey),
    leavesOpen: ['IDEM-1', 'IDEM-2', 'IDEM-3'],
    drifts: ['idempotency.repetition'],
  },
  {
    behaviour: 'idempotency keys in a usual header',
    run: () => unlike({ ...byKey, 'idempotency.key-header': 'X-Idempotency-Key' }),
    leavesOpen: ['IDEM-1', 'IDEM-2', 'IDEM-3'],
    drifts: ['idempotency.repetition'],
  },
  {
    behaviour: 'idempotency keys in another header than the profile states',
    run: () => unlike(byKey, { told: spoken({ ...byKey, 'idempotency.key-header': 'Idempotency-Key' }) }),
    leavesOpen: ['IDEM-1', 'IDEM-2', 'IDEM-3'],
    drifts: ['idempotency.key-header'],
  },
  {
    behaviour: 'idempotency keys in the stated header',
    run: () => ({ spoken: spoken(byKey), options }),
    passes: requirements,
  },
  {
    behaviour: 'identical calls are repetitions, although the profile states keys',
    run: () => ({ spoken: usual, told: spoken(byKey), options }),
    passes: requirements,
  },
  {
    behaviour: 'only one operation takes a repetition for a new call',
    run: () => ({ faults: ['site-created-again'], spoken: usual, told: silent, options }),
    fails: ['IDEM-1'],
  },
  {
    behaviour: 'an identical publish is still running',
    run: () => ({ faults: ['repeated-publish-is-under-way'], spoken: usual, told: silent, options }),
    fails: ['IDEM-2'],
  },
  {
    behaviour: 'an identical publish has a new version',
    run: () => ({ faults: ['site-published-again'], spoken: usual, told: silent, options }),
    fails: ['IDEM-2'],
  },
  {
    behaviour: 'a publish without changes returns the current version',
    run: () => unlike({ 'publish.unchanged': 'same-version' }),
    passes: requirements,
    drifts: ['publish.unchanged'],
  },
  {
    behaviour: 'a window of twelve seconds, and a publish without changes returns the current version',
    run: () => unlike({ 'publish.unchanged': 'same-version', 'idempotency.window': 12 }),
    passes: requirements,
  },
  {
    behaviour: 'an unchanged site has one version, and no known call changes it',
    run: () => {
      const values = { 'publish.unchanged': 'same-version', 'operation.create-content': 'unknown' };
      return { spoken: spoken(values), options };
    },
    passes: ['IDEM-1', 'IDEM-2', 'IDEM-3'],
    verifies: ['IDEM-4', 'IDEM-5'],
  },
  {
    behaviour: 'an unchanged site has one version, and keys are in an unguessable header',
    run: () => unlike({ ...byKey, 'publish.unchanged': 'same-version' }),
    leavesOpen: ['IDEM-1', 'IDEM-3'],
  },
  {
    behaviour: 'different publishes have one result despite changes',
    run: () => ({ faults: ['publishes-of-a-site-all-alike'], options }),
    fails: ['IDEM-5'],
  },
  {
    behaviour: 'a different publish is refused while one runs',
    run: () => unlike({ 'publish.concurrent': 'refused' }),
    passes: requirements,
  },
  {
    behaviour: 'creations take three seconds, and their window starts at their end',
    run: () => ({
      spoken: spoken({ 'idempotency.window': 10 }),
      variations: ['slow-creations'],
      ...inRealTime,
    }),
    passes: ['IDEM-1', 'IDEM-4'],
  },
  {
    behaviour: 'an identical call is refused while the first one runs',
    run: () => unlike({ 'idempotency.in-progress': 'refused' }),
    verifies: ['IDEM-1', 'IDEM-3'],
    drifts: ['idempotency.in-progress'],
  },
  {
    behaviour: 'simultaneous identical creations create one site each',
    run: () => ({ faults: ['creations-at-once-not-recognized'], options }),
    fails: ['IDEM-1'],
  },
  {
    behaviour: 'simultaneous identical publishes have one version each',
    run: () => ({ faults: ['publishes-at-once-not-recognized'], options }),
    fails: ['IDEM-2'],
  },
  {
    behaviour: 'simultaneous identical imports import one site each',
    run: () => ({ faults: ['imports-at-once-not-recognized'], options }),
    fails: ['IDEM-3'],
  },
  {
    behaviour: 'the answer to a repeated creation has only the id',
    run: () => ({
      tamper: describing(
        (name) => ({ name, state: 'draft' }),
        () => ({}),
      ),
      options: ofCreations,
    }),
    fails: ['IDEM-1'],
  },
  {
    behaviour: 'the answer to a repeated creation has another name',
    run: () => ({
      tamper: describing(
        (name) => ({ name }),
        () => ({ name: 'Untitled' }),
      ),
      options: ofCreations,
    }),
    fails: ['IDEM-1'],
  },
  {
    behaviour: 'the answer to a repeated creation shows that the site is ready',
    run: () => ({
      tamper: describing(
        (name) => ({ name, state: 'queued', eta_seconds: 10, created: true, progress: null }),
        (name) => ({ name, state: 'done', created: false }),
      ),
      options: ofCreations,
    }),
    passes: ['IDEM-1', 'IDEM-4', 'IDEM-5'],
  },
  {
    behaviour: 'every POST is replayed for ten seconds',
    run: () => unlike({ 'idempotency.scope': 'every-post', 'idempotency.window': 10 }),
    passes: requirements,
  },
  {
    behaviour: 'repetitions have the trace_id of the first call, also for subscriptions',
    run: () => ({
      spoken: spoken({ 'idempotency.trace': 'same', 'idempotency.subscriptions': 'repeated' }),
      options: { ...options, only: [...requirements, 'ENV-4'] },
    }),
    passes: ['ENV-4', 'IDEM-1', 'IDEM-2', 'IDEM-3'],
  },
  {
    behaviour: 'API keys may not create, publish or import sites',
    run: () => ({ tamper: () => keysForWebhooksAlone, options }),
    passes: requirements,
  },
];
