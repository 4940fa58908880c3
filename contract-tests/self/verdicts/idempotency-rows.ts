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

/** The usual profile, but for what makes a call a repetition. */
const silent = makeProfile(
  Object.fromEntries(Object.entries(statedValues(usual)).filter(([gap]) => !gap.startsWith('idempotency.'))),
  { name: 'silent', source: 'test' },
);

/** A deployment that speaks otherwise than the profile that the suite is told. */
function unlike(values: Record<string, unknown>, more: MockRun = {}): MockRun {
  return { spoken: spoken(values), told: usual, options, ...more };
}

const byKey = { 'idempotency.repetition': 'key-header', 'idempotency.key-header': 'X-Tenant-Call' };

const keysForWebhooksAlone: Tamper = (message, forward) => {
  const isByKey = message.headers.authorization?.startsWith('Bearer sp_') ?? false;
  return isByKey && !message.path.includes('/webhooks') ? refuse(403, 40300) : forward(message);
};

/** Adds members to the result of a site creation: to the answer to the first of the same bodies, and to its repeats. */
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
    behaviour: 'calls are told apart by a key in a header that nobody guesses',
    run: () => unlike(byKey),
    leavesOpen: ['IDEM-1', 'IDEM-2', 'IDEM-3'],
    drifts: ['idempotency.repetition'],
  },
  {
    behaviour: 'calls are told apart by a key in a usual header',
    run: () => unlike({ ...byKey, 'idempotency.key-header': 'X-Idempotency-Key' }),
    leavesOpen: ['IDEM-1', 'IDEM-2', 'IDEM-3'],
    drifts: ['idempotency.repetition'],
  },
  {
    behaviour: 'the key is in another header than the profile says',
    run: () => unlike(byKey, { told: spoken({ ...byKey, 'idempotency.key-header': 'Idempotency-Key' }) }),
    leavesOpen: ['IDEM-1', 'IDEM-2', 'IDEM-3'],
    drifts: ['idempotency.key-header'],
  },
  {
    behaviour: 'the key is in the header that the profile says',
    run: () => ({ spoken: spoken(byKey), options }),
    passes: requirements,
  },
  {
    behaviour: 'calls are compared, where the profile says that they have keys',
    run: () => ({ spoken: usual, told: spoken(byKey), options }),
    passes: requirements,
  },
  {
    behaviour: 'one operation takes a repeat for a new call, and the others do not',
    run: () => ({ faults: ['site-created-again'], spoken: usual, told: silent, options }),
    fails: ['IDEM-1'],
  },
  {
    behaviour: 'an identical publish is under way',
    run: () => ({ faults: ['repeated-publish-is-under-way'], spoken: usual, told: silent, options }),
    fails: ['IDEM-2'],
  },
  {
    behaviour: 'an identical publish has a new version',
    run: () => ({ faults: ['site-published-again'], spoken: usual, told: silent, options }),
    fails: ['IDEM-2'],
  },
  {
    behaviour: 'a publish of a site without changes has the version there is',
    run: () => unlike({ 'publish.unchanged': 'same-version' }),
    passes: requirements,
    drifts: ['publish.unchanged'],
  },
  {
    behaviour: 'a window of twelve seconds, and a publish of a site without changes has the version there is',
    run: () => unlike({ 'publish.unchanged': 'same-version', 'idempotency.window': 12 }),
    passes: requirements,
  },
  {
    behaviour: 'an unchanged site has one version, and what changes it is not known',
    run: () => {
      const values = { 'publish.unchanged': 'same-version', 'operation.create-content': 'unknown' };
      return { spoken: spoken(values), options };
    },
    passes: ['IDEM-1', 'IDEM-2', 'IDEM-3'],
    verifies: ['IDEM-4', 'IDEM-5'],
  },
  {
    behaviour: 'an unchanged site has one version, and keys are in a header that nobody guesses',
    run: () => unlike({ ...byKey, 'publish.unchanged': 'same-version' }),
    leavesOpen: ['IDEM-1', 'IDEM-3'],
  },
  {
    behaviour: 'different publishes have one result, whatever has changed',
    run: () => ({ faults: ['publishes-of-a-site-all-alike'], options }),
    fails: ['IDEM-5'],
  },
  {
    behaviour: 'a different publish is refused while one is under way',
    run: () => unlike({ 'publish.concurrent': 'refused' }),
    passes: requirements,
  },
  {
    behaviour: 'creations take three seconds, and their window begins when they end',
    run: () => ({
      spoken: spoken({ 'idempotency.window': 10 }),
      variations: ['slow-creations'],
      ...inRealTime,
    }),
    passes: ['IDEM-1', 'IDEM-4'],
  },
  {
    behaviour: 'the same call at once is refused as long as the first is in progress',
    run: () => unlike({ 'idempotency.in-progress': 'refused' }),
    verifies: ['IDEM-1', 'IDEM-3'],
    drifts: ['idempotency.in-progress'],
  },
  {
    behaviour: 'the same creations at once create a site each',
    run: () => ({ faults: ['creations-at-once-not-recognized'], options }),
    fails: ['IDEM-1'],
  },
  {
    behaviour: 'the same publishes at once have a version each',
    run: () => ({ faults: ['publishes-at-once-not-recognized'], options }),
    fails: ['IDEM-2'],
  },
  {
    behaviour: 'the same imports at once import a site each',
    run: () => ({ faults: ['imports-at-once-not-recognized'], options }),
    fails: ['IDEM-3'],
  },
  {
    behaviour: 'the answer to a repeated creation has the identifier alone',
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
    behaviour: 'the answer to a repeated creation says that the site is there by now',
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
    behaviour: 'repeats have the trace_id of the first call, and those of subscriptions are recognized',
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
